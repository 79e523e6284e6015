#include "LeadingDigits.hpp"

#include <algorithm>

namespace dialtone {

namespace {

constexpr int longest = 3;
constexpr int powerOfTen[] = {1, 10, 100, 1000};
// Texts are numbered by length, then by value: "" is 0, "0" is 1, "00" is 11, "000" is 111.
constexpr int firstOfLength[] = {0, 1, 11, 111};

/// A recursive descent over the part of the syntax that numbering plans are written in.
class Parser {
public:
    explicit Parser(const std::string &pattern) : pattern(pattern) {}

    LeadingDigits parse() {
        LeadingDigits result = alternation();
        if (position != pattern.size()) fail();
        return result;
    }

private:
    const std::string &pattern;
    size_t position = 0;

    [[noreturn]] void fail() const { throw UnsupportedPattern(pattern); }

    char peek() const { return position < pattern.size() ? pattern[position] : '\0'; }

    bool take(char expected) {
        if (peek() != expected) return false;
        ++position;
        return true;
    }

    void expect(char expected) {
        if (!take(expected)) fail();
    }

    bool atDigit() const { return peek() >= '0' && peek() <= '9'; }

    int digit() {
        if (!atDigit()) fail();
        return pattern[position++] - '0';
    }

    LeadingDigits alternation() {
        LeadingDigits result = sequence();
        while (take('|')) result |= sequence();
        return result;
    }

    LeadingDigits sequence() {
        LeadingDigits result = LeadingDigits::emptyText();
        while (peek() != '\0' && peek() != '|' && peek() != ')') result = result.followedBy(quantified(atom()));
        return result;
    }

    LeadingDigits atom() {
        if (take('(')) {
            if (take('?')) expect(':');
            LeadingDigits result = alternation();
            expect(')');
            return result;
        }
        if (take('[')) return characterClass();
        if (take('$')) return LeadingDigits::emptyText();
        if (take('\\')) {
            expect('d');
            return digits(0, 9);
        }
        return LeadingDigits::oneDigit(digit());
    }

    LeadingDigits characterClass() {
        LeadingDigits result;
        while (!take(']')) {
            if (take('\\')) {
                expect('d');
                result |= digits(0, 9);
                continue;
            }
            const int low = digit();
            result |= digits(low, take('-') ? digit() : low);
        }
        return result;
    }

    static LeadingDigits digits(int low, int high) {
        LeadingDigits result;
        for (int digit = low; digit <= high; ++digit) result |= LeadingDigits::oneDigit(digit);
        return result;
    }

    LeadingDigits quantified(const LeadingDigits &atom) {
        LeadingDigits result = atom;
        if (take('?')) {
            result = atom.repeated(0, 1);
        } else if (take('*')) {
            result = atom.repeated(0, -1);
        } else if (take('+')) {
            result = atom.repeated(1, -1);
        } else if (take('{')) {
            const int least = count();
            const int most = take(',') ? (atDigit() ? count() : -1) : least;
            expect('}');
            result = atom.repeated(least, most);
        } else {
            return result;
        }
        // Lazy and possessive forms, and quantifiers of quantifiers.
        if (peek() != '\0' && std::string("?*+{").find(peek()) != std::string::npos) fail();
        return result;
    }

    int count() {
        int result = digit();
        while (atDigit()) {
            result = result * 10 + digit();
            if (result > 100) fail();
        }
        return result;
    }
};

}

LeadingDigits LeadingDigits::of(const std::string &pattern) { return Parser(pattern).parse(); }

LeadingDigits LeadingDigits::emptyText() {
    LeadingDigits result;
    result.texts.set(0);
    return result;
}

LeadingDigits LeadingDigits::oneDigit(int digit) {
    LeadingDigits result;
    result.texts.set(firstOfLength[1] + digit);
    return result;
}

bool LeadingDigits::mayBegin(int firstThree) const {
    return texts[firstOfLength[1] + firstThree / 100] || texts[firstOfLength[2] + firstThree / 10]
        || texts[firstOfLength[3] + firstThree];
}

LeadingDigits &LeadingDigits::operator|=(const LeadingDigits &other) {
    texts |= other.texts;
    return *this;
}

std::vector<LeadingDigits::Text> LeadingDigits::list() const {
    std::vector<Text> result;
    for (int length = 0; length <= longest; ++length) {
        for (int value = 0; value < powerOfTen[length]; ++value) {
            if (texts[firstOfLength[length] + value]) result.push_back({length, value});
        }
    }
    return result;
}

LeadingDigits LeadingDigits::followedBy(const LeadingDigits &other) const {
    LeadingDigits result;
    const std::vector<Text> heads = list(), tails = other.list();
    for (const Text head : heads) {
        for (const Text tail : tails) {
            const int kept = std::min(tail.length, longest - head.length);
            const int keptValue = tail.value / powerOfTen[tail.length - kept];
            result.texts.set(firstOfLength[head.length + kept] + head.value * powerOfTen[kept] + keptValue);
        }
    }
    return result;
}

LeadingDigits LeadingDigits::repeated(int least, int most) const {
    // After three non-empty repetitions every text is cut off: more add nothing.
    const int optional = most < 0 ? longest : std::min(most - least, longest);
    LeadingDigits result = emptyText();
    for (int i = 0; i < std::min(least, longest); ++i) result = result.followedBy(*this);
    for (int i = 0; i < optional; ++i) result |= result.followedBy(*this);
    return result;
}

}
