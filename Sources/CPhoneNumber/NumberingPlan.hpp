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

/// How numbers behind one calling code are read: libphonenumber's rules over its own metadata, with the patterns of a
/// region as one automaton in place of a dozen regular expressions.
class NumberingPlan {
public:
    /// `regions` share the calling code, the main one first, then in the metadata's order: as the library tries them.
    /// Throws UnsupportedPattern.
    explicit NumberingPlan(const std::vector<i18n::phonenumbers::PhoneMetadata> &regions);

    /// Whether a national prefix may stand in front: then only the library's Parse can tell what is to be taken off.
    bool mayHavePrefix(std::string_view national) const { return prefixes.matchesBeginning(national); }

    /// Reads a national number in which nothing is to be taken off; fills in region and validity where it is possible.
    cphonenumber_status read(std::string_view national, cphonenumber_reading &reading) const;

private:
    static constexpr size_t mostDigits = 17;

    class Region {
    public:
        explicit Region(const i18n::phonenumbers::PhoneMetadata &metadata);

        /// Whether the number fits one of the region's types.
        bool isValid(std::string_view national) const;
        /// Whether the number is this region's, where several share the calling code.
        bool claims(std::string_view national) const;

        std::string code;

    private:
        bool hasLeadingDigits;
        DigitAutomaton leadingDigits;
        /// Pattern 0 is of all numbers of the region, the others are of one type each.
        DigitAutomaton types;
        /// By length: bit p where pattern p allows it.
        std::array<uint16_t, mostDigits + 1> patternsOfLength{};
    };

    DigitAutomaton prefixes;
    std::bitset<mostDigits + 1> lengths, localLengths;
    std::vector<Region> regions;

    cphonenumber_status statusOfLength(size_t length) const;
};

}
