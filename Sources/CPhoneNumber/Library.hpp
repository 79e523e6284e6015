#pragma once

#include <phonenumbers/phonenumberutil.h>

namespace dialtone {

/// Returns libphonenumber's PhoneNumberUtil. The first call creates it, which takes 10 ms and 1.5 MB. It caches each
/// regular expression that it compiles; the expressions of all regions take another 3 MB.
const i18n::phonenumbers::PhoneNumberUtil &library();

}
