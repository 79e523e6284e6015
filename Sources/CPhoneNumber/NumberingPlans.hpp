#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <phonenumbers/phonenumber.pb.h>
#include <string>
#include <unordered_set>

namespace dialtone {

/// Facts about numbering plans that spare calls into libphonenumber without changing an answer.
///
/// Half of a reading's time goes into PhoneNumberUtil::Parse, whose regular expressions look for letters, extensions
/// and a second number, none of which plain digits can hold. All that Parse can do to digits behind a plus sign is
/// to take off a national prefix that was dialled after the calling code (+44 0 20...). So a number that cannot
/// begin with its plan's prefix pattern is its own parse, and is built without Parse.
///
/// The pattern is in the metadata that libphonenumber carries. Should a build of the library not offer its metadata,
/// or a pattern be in a syntax that is not understood here, then every number concerned takes the way through Parse.
class NumberingPlans {
public:
    static const NumberingPlans &shared();

    /// Builds the number that Parse would, from `text` ("+" and digits). False when only Parse can tell.
    bool readLiterally(const std::string &text, i18n::phonenumbers::PhoneNumber &number) const;

    /// Whether GetRegionCodeForNumber gives this region only to valid numbers. So it does where several regions
    /// share a calling code and this one is not told by leading digits: it is then found by matching its types.
    bool membershipProvesValidity(const std::string &region) const;

private:
    NumberingPlans();

    struct Plan {
        /// Whether a national number with these first three digits may begin with a national prefix.
        std::bitset<1000> mayHavePrefix;
    };

    std::array<std::unique_ptr<const Plan>, 1000> planOfCallingCode;
    std::unordered_set<std::string> regionsOfValidNumbersOnly;
};

}
