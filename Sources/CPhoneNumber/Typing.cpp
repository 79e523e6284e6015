#include "CPhoneNumber.h"

#include "Copy.hpp"
#include "Library.hpp"

#include <cstring>
#include <memory>
#include <phonenumbers/asyoutypeformatter.h>
#include <string>

using dialtone::copy;
using dialtone::library;
using i18n::phonenumbers::AsYouTypeFormatter;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

void formatAsTyped(const std::string &digits, const std::string &region, cphonenumber_typed &typed) {
    const std::unique_ptr<AsYouTypeFormatter> formatter(library().GetAsYouTypeFormatter(region));
    std::string text;
    for (const char digit : digits) formatter->InputDigit(digit, &text);
    copy(text, typed.as_you_type);
}

cphonenumber_status statusOf(PhoneNumberUtil::ErrorType error) {
    switch (error) {
    case PhoneNumberUtil::INVALID_COUNTRY_CODE_ERROR: return CPHONENUMBER_UNKNOWN_CALLING_CODE;
    case PhoneNumberUtil::TOO_SHORT_AFTER_IDD:
    case PhoneNumberUtil::TOO_SHORT_NSN: return CPHONENUMBER_TOO_SHORT;
    case PhoneNumberUtil::TOO_LONG_NSN: return CPHONENUMBER_TOO_LONG;
    default: return CPHONENUMBER_MALFORMED;
    }
}

void readTyped(const std::string &digits, const std::string &region, cphonenumber_typed &typed) {
    formatAsTyped(digits, region, typed);
    PhoneNumber number;
    const PhoneNumberUtil::ErrorType error = library().Parse(digits, region, &number);
    if (error != PhoneNumberUtil::NO_PARSING_ERROR) {
        typed.status = statusOf(error);
        return;
    }
    std::string text;
    library().Format(number, PhoneNumberUtil::E164, &text);
    if (text.size() < 2 || text.size() > 20) {
        typed.status = CPHONENUMBER_TOO_LONG;
        return;
    }
    // Read it as a request to send a code would, so that both agree about every number.
    typed.status = cphonenumber_read(std::stoull(text.substr(1)), &typed.reading);
    if (typed.status != CPHONENUMBER_OK) return;
    text = "+" + std::to_string(typed.reading.digits);
    if (library().Parse(text, "ZZ", &number) != PhoneNumberUtil::NO_PARSING_ERROR) {
        typed.status = CPHONENUMBER_MALFORMED;
        return;
    }
    library().Format(number, PhoneNumberUtil::NATIONAL, &text);
    copy(text, typed.national);
    library().Format(number, PhoneNumberUtil::INTERNATIONAL, &text);
    copy(text, typed.international);
}

}

void cphonenumber_read_typed(const char *digits, const char *region, cphonenumber_typed *typed) {
    std::memset(typed, 0, sizeof *typed);
    typed->status = CPHONENUMBER_MALFORMED;
    try {
        readTyped(digits, region, *typed);
    } catch (...) {
        typed->status = CPHONENUMBER_MALFORMED;
    }
}
