#pragma once

#include <bitset>
#include <stdexcept>
#include <string>
#include <vector>

namespace dialtone {

/// The pattern uses an expression that LeadingDigits does not understand.
struct UnsupportedPattern : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What the texts that a regular expression over digits matches can begin with.
///
/// It is the language of the expression with each text cut off after three digits, which leaves only 1,111
/// possible texts: a bit for each. Anchors are taken as always satisfied, so the set may be too large but never
/// too small.
class LeadingDigits {
public:
    /// Throws UnsupportedPattern.
    static LeadingDigits of(const std::string &pattern);

    static LeadingDigits emptyText();
    static LeadingDigits oneDigit(int digit);

    /// Whether any non-empty match can begin a number whose first three digits are these (0...999).
    bool mayBegin(int firstThree) const;

    LeadingDigits &operator|=(const LeadingDigits &other);
    LeadingDigits followedBy(const LeadingDigits &other) const;
    /// `most` below 0 means without limit.
    LeadingDigits repeated(int least, int most) const;

private:
    struct Text {
        int length;
        int value;
    };

    std::vector<Text> list() const;

    std::bitset<1 + 10 + 100 + 1000> texts;
};

}
