#pragma once

#include "CPhoneNumber.h"

#include <phonenumbers/phonenumberutil.h>
#include <string>

namespace dialtone {

/// The library's name for "no region".
constexpr char unknownRegion[] = "ZZ";

cphonenumber_status statusOf(i18n::phonenumbers::PhoneNumberUtil::ErrorType error);
cphonenumber_status statusOf(i18n::phonenumbers::PhoneNumberUtil::ValidationResult result);

/// Copies what was found out about the number with the E.164 form `text`.
void fill(cphonenumber_reading &reading, const std::string &text, const std::string &region, bool isValid);

/// Reads `text` into `number` with `parse`, anew from its own E.164 form until that no longer changes; then checks
/// that the number is possible. On success `text` is the E.164 form.
///
/// The library takes one national prefix off at a time (+49 0 0 151...), so its first answer may not be how it reads
/// that answer. Two such texts must not become two accounts.
template <typename Parse>
cphonenumber_status readUntilStable(std::string &text, i18n::phonenumbers::PhoneNumber &number, Parse parse) {
    using i18n::phonenumbers::PhoneNumberUtil;
    constexpr int mostReadings = 4;
    constexpr size_t longestE164 = 1 + 15;

    const PhoneNumberUtil &library = *PhoneNumberUtil::GetInstance();
    for (int i = 0; i < mostReadings; ++i) {
        number.Clear();
        const PhoneNumberUtil::ErrorType error = parse(text);
        if (error != PhoneNumberUtil::NO_PARSING_ERROR) return statusOf(error);
        std::string formatted;
        library.Format(number, PhoneNumberUtil::E164, &formatted);
        if (formatted == text) {
            const PhoneNumberUtil::ValidationResult result = library.IsPossibleNumberWithReason(number);
            if (result != PhoneNumberUtil::IS_POSSIBLE) return statusOf(result);
            return text.size() > longestE164 ? CPHONENUMBER_TOO_LONG : CPHONENUMBER_OK;
        }
        text = formatted;
    }
    return CPHONENUMBER_MALFORMED;
}

}
