#include "Reading.hpp"

#include "Copy.hpp"
#include "Library.hpp"

namespace dialtone {

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

/// The library's code for an unknown region.
constexpr char unknownRegion[] = "ZZ";

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

/// Parses `text` into `number`, and parses the resulting E.164 form again until it no longer changes. Then checks that
/// the number is possible. On success, `text` is the E.164 form.
///
/// The library removes one national prefix at a time (+49 0 0 151...), so parsing its result again may give a different
/// number. Two such texts must not become two accounts.
cphonenumber_status readUntilStable(std::string &text, PhoneNumber &number) {
    constexpr int mostReadings = 4;
    constexpr size_t longestE164 = 1 + 15;

    for (int i = 0; i < mostReadings; ++i) {
        number.Clear();
        const PhoneNumberUtil::ErrorType error = library().Parse(text, unknownRegion, &number);
        if (error != PhoneNumberUtil::NO_PARSING_ERROR) return statusOf(error);
        std::string formatted;
        library().Format(number, PhoneNumberUtil::E164, &formatted);
        if (formatted == text) {
            const PhoneNumberUtil::ValidationResult result = library().IsPossibleNumberWithReason(number);
            if (result != PhoneNumberUtil::IS_POSSIBLE) return statusOf(result);
            return text.size() > longestE164 ? CPHONENUMBER_TOO_LONG : CPHONENUMBER_OK;
        }
        text = formatted;
    }
    return CPHONENUMBER_MALFORMED;
}

}

cphonenumber_status readWithLibrary(std::string text, cphonenumber_reading &reading) {
    PhoneNumber number;
    const cphonenumber_status status = readUntilStable(text, number);
    if (status != CPHONENUMBER_OK) return status;

    std::string region;
    library().GetRegionCodeForNumber(number, &region);
    reading.digits = std::stoull(text.substr(1));
    copy(region == unknownRegion ? "" : region, reading.region);
    reading.is_valid = library().IsValidNumber(number);
    return CPHONENUMBER_OK;
}

}
