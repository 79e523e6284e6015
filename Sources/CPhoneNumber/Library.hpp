#pragma once

#include <phonenumbers/phonenumberutil.h>

namespace dialtone {

/// Returns libphonenumber itself. The first call creates it, in 10 ms and 1.5 MB. It caches each regular expression
/// that it compiles, which takes another 3 MB with those of all regions.
const i18n::phonenumbers::PhoneNumberUtil &library();

}
