#include "CPhoneNumber.h"

#include "NumberingPlans.hpp"
#include "Reading.hpp"

#include <phonenumbers/phonenumberutil.h>
#include <string>

using dialtone::NumberingPlans;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

cphonenumber_status read(uint64_t digits, cphonenumber_reading &reading) {
    const std::string text = std::to_string(digits);
    cphonenumber_status status;
    if (NumberingPlans::shared().read(text, status, reading)) {
        reading.digits = digits;
        return status;
    }
    return dialtone::readWithLibrary("+" + text, reading);
}

}

void cphonenumber_warm_up(void) {
    cphonenumber_reading reading;
    cphonenumber_read(16505550100, &reading);
}

cphonenumber_status cphonenumber_read(uint64_t digits, cphonenumber_reading *reading) {
    try {
        return read(digits, *reading);
    } catch (...) {
        return CPHONENUMBER_MALFORMED;
    }
}

bool cphonenumber_is_region(const char *code) {
    try {
        return PhoneNumberUtil::GetInstance()->GetCountryCodeForRegion(code) != 0;
    } catch (...) {
        return false;
    }
}
