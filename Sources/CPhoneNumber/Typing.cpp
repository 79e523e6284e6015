#include "CPhoneNumber.h"

#include <cstring>
#include <memory>
#include <phonenumbers/asyoutypeformatter.h>
#include <phonenumbers/phonenumberutil.h>
#include <set>
#include <string>
#include <vector>

using i18n::phonenumbers::AsYouTypeFormatter;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

template <size_t capacity> void copy(const std::string &text, char (&buffer)[capacity]) {
    std::memset(buffer, 0, capacity);
    // A text that does not fit is left out, because a part of a number is a wrong number.
    if (text.size() < capacity) text.copy(buffer, text.size());
}

void formatAsTyped(const std::string &digits, const std::string &region, cphonenumber_typed &typed) {
    const std::unique_ptr<AsYouTypeFormatter> formatter(
        PhoneNumberUtil::GetInstance()->GetAsYouTypeFormatter(region)
    );
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
    const PhoneNumberUtil &library = *PhoneNumberUtil::GetInstance();
    formatAsTyped(digits, region, typed);
    PhoneNumber number;
    const PhoneNumberUtil::ErrorType error = library.Parse(digits, region, &number);
    if (error != PhoneNumberUtil::NO_PARSING_ERROR) {
        typed.status = statusOf(error);
        return;
    }
    std::string text;
    library.Format(number, PhoneNumberUtil::E164, &text);
    if (text.size() < 2 || text.size() > 20) {
        typed.status = CPHONENUMBER_TOO_LONG;
        return;
    }
    // What a request to send a code would read, so that both agree about every number.
    typed.status = cphonenumber_read(std::stoull(text.substr(1)), &typed.reading);
    if (typed.status != CPHONENUMBER_OK) return;
    if (library.Parse("+" + std::to_string(typed.reading.digits), "ZZ", &number) != PhoneNumberUtil::NO_PARSING_ERROR) {
        typed.status = CPHONENUMBER_MALFORMED;
        return;
    }
    library.Format(number, PhoneNumberUtil::NATIONAL, &text);
    copy(text, typed.national);
    library.Format(number, PhoneNumberUtil::INTERNATIONAL, &text);
    copy(text, typed.international);
}

cphonenumber_region makeRegion(const std::string &code) {
    const PhoneNumberUtil &library = *PhoneNumberUtil::GetInstance();
    cphonenumber_region region;
    copy(code, region.code);
    region.calling_code = library.GetCountryCodeForRegion(code);
    std::string main;
    library.GetRegionCodeForCountryCode(region.calling_code, &main);
    region.is_main = main == code;
    PhoneNumber number;
    std::string example;
    if (library.GetExampleNumberForType(code, PhoneNumberUtil::MOBILE, &number))
        library.Format(number, PhoneNumberUtil::NATIONAL, &example);
    copy(example, region.example);
    return region;
}

std::vector<cphonenumber_region> makeRegions() {
    std::set<std::string> codes;
    PhoneNumberUtil::GetInstance()->GetSupportedRegions(&codes);
    std::vector<cphonenumber_region> regions;
    for (const std::string &code : codes) regions.push_back(makeRegion(code));
    return regions;
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

bool cphonenumber_region_at(size_t index, cphonenumber_region *region) {
    try {
        // Never destroyed: threads may still be reading while the process exits.
        static const std::vector<cphonenumber_region> &regions = *new std::vector<cphonenumber_region>(makeRegions());
        if (index >= regions.size()) return false;
        *region = regions[index];
        return true;
    } catch (...) {
        return false;
    }
}
