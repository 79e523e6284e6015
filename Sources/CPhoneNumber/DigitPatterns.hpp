#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace dialtone {

/// The error for a pattern that uses unsupported syntax.
struct UnsupportedPattern : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Regular expressions over digits, in the subset of the syntax that numbering plans use, as one nondeterministic
/// finite automaton (NFA) with one start state per pattern.
class DigitPatterns {
public:
    /// How `$` is treated: as unsupported, or as always satisfied if the caller only asks whether a pattern may match.
    enum class EndAnchor { refused, ignored };

    struct State {
        /// Bit d is set if digit d leads to `next`.
        uint16_t digits = 0;
        int next = 0;
        /// The states that are reachable without a digit (epsilon transitions).
        std::vector<int> free;
        /// Bit p is set if pattern p matches a text that ends here.
        uint16_t accepted = 0;
    };

    static constexpr int mostPatterns = 16;

    /// Adds the next pattern. An empty pattern matches no text. Throws UnsupportedPattern.
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
