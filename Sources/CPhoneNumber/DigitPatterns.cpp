#include "DigitPatterns.hpp"

namespace dialtone {

/// A recursive descent parser. Each function parses a part of the pattern, adds the part's states after the state
/// `from`, and returns the state in which the part has matched.
class PatternParser {
public:
    PatternParser(const std::string &pattern, DigitPatterns::EndAnchor anchor, DigitPatterns &result)
        : pattern(pattern), anchor(anchor), result(result) {}

    int parse(int from) {
        const int end = alternation(from);
        if (position != pattern.size()) fail();
        return end;
    }

private:
    static constexpr uint16_t anyDigit = (1 << 10) - 1;
    static constexpr int withoutLimit = -1;

    const std::string &pattern;
    const DigitPatterns::EndAnchor anchor;
    DigitPatterns &result;
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

    int alternation(int from) {
        const int end = result.addState();
        do {
            result.connect(sequence(from), end);
        } while (take('|'));
        return end;
    }

    int sequence(int from) {
        while (peek() != '\0' && peek() != '|' && peek() != ')') from = quantified(from);
        return from;
    }

    /// Parses an atom as often as its quantifier allows. Each time, adds new states.
    int quantified(int from) {
        const size_t start = position;
        skipAtom();
        const auto [least, most] = quantifier();
        const size_t end = position;
        const auto repeat = [&](int state) {
            position = start;
            return atom(state);
        };
        for (int i = 0; i < least; ++i) from = repeat(from);
        if (most == withoutLimit) {
            const int loop = result.addState();
            result.connect(from, loop);
            result.connect(repeat(loop), loop);
            from = loop;
        } else if (most > least) {
            const int matched = result.addState();
            result.connect(from, matched);
            for (int i = least; i < most; ++i) {
                from = repeat(from);
                result.connect(from, matched);
            }
            from = matched;
        }
        position = end;
        return from;
    }

    void skipAtom() {
        int depth = 0;
        do {
            if (peek() == '\0') fail();
            if (take('\\')) {
                ++position;
            } else if (take('[')) {
                while (!take(']')) {
                    if (peek() == '\0') fail();
                    ++position;
                }
            } else {
                if (peek() == '(') ++depth;
                if (peek() == ')') --depth;
                ++position;
            }
        } while (depth > 0);
    }

    int atom(int from) {
        if (take('(')) {
            if (take('?')) expect(':');
            const int end = alternation(from);
            expect(')');
            return end;
        }
        if (take('[')) return oneOf(characterClass(), from);
        if (take('$')) {
            if (anchor == DigitPatterns::EndAnchor::refused) fail();
            return from;
        }
        if (take('\\')) {
            expect('d');
            return oneOf(anyDigit, from);
        }
        return oneOf(1 << digit(), from);
    }

    int oneOf(uint16_t digits, int from) {
        const int begin = result.addState(), end = result.addState();
        result.connect(from, begin);
        result.states[begin].digits = digits;
        result.states[begin].next = end;
        return end;
    }

    uint16_t characterClass() {
        uint16_t digits = 0;
        while (!take(']')) {
            if (take('\\')) {
                expect('d');
                digits |= anyDigit;
                continue;
            }
            const int low = digit(), high = take('-') ? digit() : low;
            for (int each = low; each <= high; ++each) digits |= 1 << each;
        }
        return digits;
    }

    struct Quantifier {
        int least, most;
    };

    Quantifier quantifier() {
        Quantifier result{1, 1};
        if (take('?')) {
            result = {0, 1};
        } else if (take('*')) {
            result = {0, withoutLimit};
        } else if (take('+')) {
            result = {1, withoutLimit};
        } else if (take('{')) {
            const int least = count();
            result = {least, take(',') ? (atDigit() ? count() : withoutLimit) : least};
            expect('}');
        } else {
            return result;
        }
        // Lazy and possessive quantifiers, and quantified quantifiers.
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

void DigitPatterns::add(const std::string &pattern, EndAnchor anchor) {
    if (patternCount == mostPatterns) throw UnsupportedPattern(pattern);
    const uint16_t itself = 1 << patternCount++;
    if (pattern.empty()) return;
    starts.push_back(addState());
    const int end = PatternParser(pattern, anchor, *this).parse(starts.back());
    states[end].accepted |= itself;
}

int DigitPatterns::addState() {
    states.emplace_back();
    return static_cast<int>(states.size()) - 1;
}

}
