#include "Library.hpp"

#include <malloc.h>

namespace dialtone {

using i18n::phonenumbers::PhoneNumberUtil;

const PhoneNumberUtil &library() {
    static const PhoneNumberUtil *const shared = [] {
        const PhoneNumberUtil *const created = PhoneNumberUtil::GetInstance();
        // The library copies its metadata from a message of the same size. Without this call, the heap would keep the
        // pages of the freed message.
        malloc_trim(0);
        return created;
    }();
    return *shared;
}

}
