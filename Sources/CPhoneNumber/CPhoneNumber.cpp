#include "CPhoneNumber.h"

#include "NumberingPlans.hpp"
#include "Reading.hpp"

#include <string>

using dialtone::NumberingPlans;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

/// One pass over the region's patterns, where IsValidNumber would make two.
bool isValid(const PhoneNumberUtil &library, const PhoneNumber &number, const std::string &region) {
    if (region == dialtone::unknownRegion) return false;
    return NumberingPlans::shared().membershipProvesValidity(region)
        || library.IsValidNumberForRegion(number, region);
}

cphonenumber_status read(uint64_t digits, cphonenumber_reading &reading) {
    const PhoneNumberUtil &library = *PhoneNumberUtil::GetInstance();
    std::string text = "+" + std::to_string(digits);
    PhoneNumber number;
    const cphonenumber_status status = dialtone::readUntilStable(text, number, [&](const std::string &text) {
        return NumberingPlans::shared().readLiterally(text, number)
            ? PhoneNumberUtil::NO_PARSING_ERROR
            : library.Parse(text, dialtone::unknownRegion, &number);
    });
    if (status != CPHONENUMBER_OK) return status;

    std::string region;
    library.GetRegionCodeForNumber(number, &region);
    dialtone::fill(reading, text, region, isValid(library, number, region));
    return CPHONENUMBER_OK;
}

}

void cphonenumber_warm_up(void) {
    cphonenumber_reading reading;
    // One number through Parse (it has a national prefix), one past it.
    cphonenumber_read(116505550100, &reading);
    cphonenumber_read(447911123456, &reading);
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
