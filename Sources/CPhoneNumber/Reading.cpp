#include "Reading.hpp"

#include <cstring>

namespace dialtone {

using i18n::phonenumbers::PhoneNumberUtil;

cphonenumber_status statusOf(PhoneNumberUtil::ErrorType error) {
    switch (error) {
    case PhoneNumberUtil::NO_PARSING_ERROR: return CPHONENUMBER_OK;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR: return CPHONENUMBER_UNKNOWN_CALLING_CODE;
    case PhoneNumberUtil::NOT_A_NUMBER: return CPHONENUMBER_MALFORMED;
    case PhoneNumberUtil::TOO_SHORT_AFTER_IDD:
    case PhoneNumberUtil::TOO_SHORT_NSN: return CPHONENUMBER_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG_NSN: return CPHONENUMBER_TOO_LONG;
    }
    return CPHONENUMBER_MALFORMED;
}

cphonenumber_status statusOf(PhoneNumberUtil::ValidationResult result) {
    switch (result) {
    case PhoneNumberUtil::IS_POSSIBLE: return CPHONENUMBER_OK;
    case PhoneNumberUtil::INVALID_COUNTRY_CODE: return CPHONENUMBER_UNKNOWN_CALLING_CODE;
    case PhoneNumberUtil::IS_POSSIBLE_LOCAL_ONLY:
    case PhoneNumberUtil::TOO_SHORT: return CPHONENUMBER_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG: return CPHONENUMBER_TOO_LONG;
    case PhoneNumberUtil::INVALID_LENGTH: return CPHONENUMBER_NOT_POSSIBLE;
    }
    return CPHONENUMBER_NOT_POSSIBLE;
}

void fill(cphonenumber_reading &reading, const std::string &text, const std::string &region, bool isValid) {
    reading.digits = std::stoull(text.substr(1));
    std::memset(reading.region, 0, sizeof reading.region);
    if (region != unknownRegion) region.copy(reading.region, sizeof reading.region - 1);
    reading.is_valid = isValid;
}

}
