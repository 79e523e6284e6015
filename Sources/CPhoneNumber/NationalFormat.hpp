#pragma once

#include <phonenumbers/phonemetadata.pb.h>
#include <string>

namespace dialtone {

/// Formats a national number as PhoneNumberUtil::Format does for NATIONAL, but keeps nothing in memory: the library
/// compiles the regular expressions of each format that it tries, and never frees them.
///
/// `plan` is the metadata of the main region of the number's calling code. Throws UnsupportedPattern, also if the
/// number contains anything other than digits.
std::string formatNational(const std::string &number, const i18n::phonenumbers::PhoneMetadata &plan);

}
