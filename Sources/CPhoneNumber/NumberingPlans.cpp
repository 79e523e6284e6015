#include "NumberingPlans.hpp"

#include "LeadingDigits.hpp"

#include <algorithm>
#include <phonenumbers/phonemetadata.pb.h>

namespace i18n {
namespace phonenumbers {

// Exported by the library, but its header for them is not installed.
__attribute__((weak)) int metadata_size();
__attribute__((weak)) const void *metadata_get();

}
}

namespace dialtone {

using i18n::phonenumbers::PhoneMetadata;
using i18n::phonenumbers::PhoneMetadataCollection;
using i18n::phonenumbers::PhoneNumber;

namespace {

constexpr size_t longestCallingCode = 3;
// Parse treats very short numbers, and those beyond E.164, by rules of their own.
constexpr size_t fewestDigits = 7, mostDigits = 15;

std::bitset<1000> firstThreeDigitsOfPrefixed(const std::string &prefixPattern) {
    std::bitset<1000> result;
    try {
        const LeadingDigits prefixes = LeadingDigits::of(prefixPattern);
        for (int firstThree = 0; firstThree < 1000; ++firstThree) result[firstThree] = prefixes.mayBegin(firstThree);
    } catch (const UnsupportedPattern &) {
        result.set();
    }
    return result;
}

}

const NumberingPlans &NumberingPlans::shared() {
    // Never destroyed: threads may still be reading while the process exits.
    static const NumberingPlans *const plans = new NumberingPlans();
    return *plans;
}

NumberingPlans::NumberingPlans() {
    if (!i18n::phonenumbers::metadata_get || !i18n::phonenumbers::metadata_size) return;
    PhoneMetadataCollection collection;
    if (!collection.ParseFromArray(i18n::phonenumbers::metadata_get(), i18n::phonenumbers::metadata_size())) return;

    std::array<const PhoneMetadata *, 1000> mainRegion{};
    std::array<int, 1000> regionCount{};
    for (const PhoneMetadata &region : collection.metadata()) {
        const int code = region.country_code();
        if (code < 1 || code > 999) continue;
        ++regionCount[code];
        // As the library does: the plan of a shared calling code is that of its main region.
        if (!mainRegion[code] || region.main_country_for_code()) mainRegion[code] = &region;
    }
    for (int code = 1; code <= 999; ++code) {
        if (!mainRegion[code]) continue;
        auto plan = std::make_unique<Plan>();
        plan->mayHavePrefix = firstThreeDigitsOfPrefixed(mainRegion[code]->national_prefix_for_parsing());
        planOfCallingCode[code] = std::move(plan);
    }
    for (const PhoneMetadata &region : collection.metadata()) {
        const int code = region.country_code();
        if (code >= 1 && code <= 999 && regionCount[code] > 1 && !region.has_leading_digits())
            regionsOfValidNumbersOnly.insert(region.id());
    }
}

bool NumberingPlans::readLiterally(const std::string &text, PhoneNumber &number) const {
    const size_t digits = text.size() - 1;
    if (digits < fewestDigits || digits > mostDigits || text[1] == '0') return false;
    for (size_t length = 1; length <= longestCallingCode; ++length) {
        const int code = std::stoi(text.substr(1, length));
        const Plan *plan = planOfCallingCode[code].get();
        if (!plan) continue;

        const std::string national = text.substr(1 + length);
        if (plan->mayHavePrefix[std::stoi(national.substr(0, 3))]) return false;
        number.set_country_code(code);
        number.set_national_number(std::stoull(national));
        if (national[0] == '0') {
            // Of a number that is nothing but zeros, the last one is the number.
            const size_t zeros = std::min(national.find_first_not_of('0'), national.size() - 1);
            number.set_italian_leading_zero(true);
            if (zeros != 1) number.set_number_of_leading_zeros(static_cast<int>(zeros));
        }
        return true;
    }
    return false;
}

bool NumberingPlans::membershipProvesValidity(const std::string &region) const {
    return regionsOfValidNumbersOnly.count(region) != 0;
}

}
