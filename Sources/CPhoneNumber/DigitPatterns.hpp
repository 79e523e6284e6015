#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace dialtone {

/// The pattern uses an expression that is not understood here.
struct UnsupportedPattern : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Regular expressions over digits, in the part of the syntax that numbering plans are written in, as one
/// nondeterministic automaton: each pattern is one of its beginnings.
class DigitPatterns {
public:
    /// What `$` means. Where a pattern is only asked whether it may match, it can be taken as always satisfied.
    enum class EndAnchor { refused, ignored };

    struct State {
        /// Bit d: a digit d leads to `next`.
        uint16_t digits = 0;
        int next = 0;
        /// States that are reached without a digit.
        std::vector<int> free;
        /// Bit p: here ends a text that pattern p matches.
        uint16_t accepted = 0;
    };

    static constexpr int mostPatterns = 16;

    /// Adds the next pattern; an empty one matches no text. Throws UnsupportedPattern.
    void add(const std::string &pattern, EndAnchor anchor);

    const std::vector<int> &beginnings() const { return starts; }
    const State &operator[](int state) const { return states[state]; }

private:
    friend class PatternParser;

    std::vector<State> states;
    std::vector<int> starts;
    int patternCount = 0;

    int addState();
    void connect(int from, int to) { states[from].free.push_back(to); }
};

}
