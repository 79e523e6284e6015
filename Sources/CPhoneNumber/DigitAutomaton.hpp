#pragma once

#include "DigitPatterns.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dialtone {

/// Tells which of several patterns a text of digits matches, in one step a digit: their deterministic automaton.
class DigitAutomaton {
public:
    /// Matches nothing.
    DigitAutomaton();

    /// Throws UnsupportedPattern for patterns whose automaton would be too large.
    explicit DigitAutomaton(const DigitPatterns &patterns);

    /// Bit p: pattern p matches the whole of `digits`.
    uint16_t match(std::string_view digits) const;

    /// Whether any pattern matches a beginning of `digits` that is not empty.
    bool matchesBeginning(std::string_view digits) const;

private:
    static constexpr uint16_t dead = 0, start = 1;

    struct State {
        std::array<uint16_t, 10> next;
        uint16_t accepted;
    };

    std::vector<State> states;
};

}
