#pragma once

#include "CPhoneNumber.h"
#include "DigitAutomaton.hpp"

#include <array>
#include <bitset>
#include <phonenumbers/phonemetadata.pb.h>
#include <string>
#include <string_view>
#include <vector>

namespace dialtone {

/// The numbering plan of one calling code: libphonenumber's rules applied to its own metadata, with one automaton per
/// region instead of a dozen regular expressions.
class NumberingPlan {
public:
    /// `regions` share the calling code. The main region is first, the others follow in the metadata's order, in which
    /// the library tries them. Throws UnsupportedPattern.
    explicit NumberingPlan(const std::vector<i18n::phonenumbers::PhoneMetadata> &regions);

    /// Returns whether the number may begin with a national prefix. If so, only the library's Parse can decide what to
    /// remove.
    bool mayHavePrefix(std::string_view national) const { return prefixes.matchesBeginning(national); }

    /// Parses a national number without a prefix. If the number is possible, sets its region and validity.
    cphonenumber_status read(std::string_view national, cphonenumber_reading &reading) const;

private:
    static constexpr size_t mostDigits = 17;

    class Region {
    public:
        explicit Region(const i18n::phonenumbers::PhoneMetadata &metadata);

        /// Returns whether the number matches one of the region's number types.
        bool isValid(std::string_view national) const;
        /// Returns whether the number belongs to this region, if several share the calling code.
        bool claims(std::string_view national) const;

        std::string code;

    private:
        bool hasLeadingDigits;
        DigitAutomaton leadingDigits;
        /// Pattern 0 is the region's general pattern; the others are one number type each.
        DigitAutomaton types;
        /// Indexed by length: bit p is set if pattern p allows the length.
        std::array<uint16_t, mostDigits + 1> patternsOfLength{};
    };

    DigitAutomaton prefixes;
    std::bitset<mostDigits + 1> lengths, localLengths;
    std::vector<Region> regions;

    cphonenumber_status statusOfLength(size_t length) const;
};

}
