#include "NumberingPlan.hpp"

#include "Copy.hpp"

namespace dialtone {

using i18n::phonenumbers::PhoneMetadata;
using i18n::phonenumbers::PhoneNumberDesc;

namespace {

DigitAutomaton automaton(const std::string &pattern, DigitPatterns::EndAnchor anchor) {
    DigitPatterns patterns;
    patterns.add(pattern, anchor);
    return DigitAutomaton(patterns);
}

/// Returns the general description, then the descriptions of the number types that the library tries.
std::array<const PhoneNumberDesc *, 11> descriptions(const PhoneMetadata &region) {
    return {
        &region.general_desc(), &region.premium_rate(), &region.toll_free(), &region.shared_cost(), &region.voip(),
        &region.personal_number(), &region.pager(), &region.uan(), &region.voicemail(), &region.fixed_line(),
        &region.mobile(),
    };
}

}

NumberingPlan::Region::Region(const PhoneMetadata &metadata)
    : code(metadata.id()), hasLeadingDigits(metadata.has_leading_digits()),
      leadingDigits(automaton(metadata.leading_digits(), DigitPatterns::EndAnchor::refused)) {
    DigitPatterns patterns;
    uint16_t pattern = 1;
    for (const PhoneNumberDesc *description : descriptions(metadata)) {
        patterns.add(description->national_number_pattern(), DigitPatterns::EndAnchor::refused);
        // If there is no list of lengths, the pattern alone decides.
        if (description->possible_length_size() == 0) {
            for (uint16_t &each : patternsOfLength) each |= pattern;
        }
        for (const int length : description->possible_length()) {
            if (length >= 0 && length <= static_cast<int>(mostDigits)) patternsOfLength[length] |= pattern;
        }
        pattern <<= 1;
    }
    types = DigitAutomaton(patterns);
}

bool NumberingPlan::Region::isValid(std::string_view national) const {
    const uint16_t matches = types.match(national) & patternsOfLength[national.size()];
    return (matches & 1) && (matches & ~1);
}

bool NumberingPlan::Region::claims(std::string_view national) const {
    return hasLeadingDigits ? leadingDigits.matchesBeginning(national) : isValid(national);
}

NumberingPlan::NumberingPlan(const std::vector<PhoneMetadata> &metadata)
    : prefixes(automaton(metadata.front().national_prefix_for_parsing(), DigitPatterns::EndAnchor::ignored)) {
    const PhoneNumberDesc &all = metadata.front().general_desc();
    for (const int length : all.possible_length()) {
        if (length >= 0 && length <= static_cast<int>(mostDigits)) lengths.set(length);
    }
    for (const int length : all.possible_length_local_only()) {
        if (length >= 0 && length <= static_cast<int>(mostDigits)) localLengths.set(length);
    }
    for (const PhoneMetadata &region : metadata) regions.emplace_back(region);
}

cphonenumber_status NumberingPlan::read(std::string_view national, cphonenumber_reading &reading) const {
    const cphonenumber_status status = statusOfLength(national.size());
    if (status != CPHONENUMBER_OK) return status;
    const Region *found = nullptr;
    for (const Region &region : regions) {
        if (regions.size() > 1 && !region.claims(national)) continue;
        found = &region;
        break;
    }
    copy(found ? found->code : "", reading.region);
    reading.is_valid = found && found->isValid(national);
    return CPHONENUMBER_OK;
}

cphonenumber_status NumberingPlan::statusOfLength(size_t length) const {
    if (localLengths[length]) return CPHONENUMBER_TOO_SHORT;
    if (lengths[length]) return CPHONENUMBER_OK;
    if ((lengths >> length).none()) return lengths.none() ? CPHONENUMBER_NOT_POSSIBLE : CPHONENUMBER_TOO_LONG;
    return (lengths << (mostDigits - length)).none() ? CPHONENUMBER_TOO_SHORT : CPHONENUMBER_NOT_POSSIBLE;
}

}
