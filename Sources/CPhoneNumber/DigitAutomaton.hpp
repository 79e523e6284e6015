#pragma once

#include "DigitPatterns.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dialtone {

/// A deterministic finite automaton (DFA) that matches digits against several patterns, with one step per digit.
class DigitAutomaton {
public:
    /// Creates an automaton that matches nothing.
    DigitAutomaton();

    /// Throws UnsupportedPattern if the automaton would be too large.
    explicit DigitAutomaton(const DigitPatterns &patterns);

    /// Returns a bit set: bit p is set if pattern p matches the whole of `digits`.
    uint16_t match(std::string_view digits) const;

    /// Returns whether any pattern matches a non-empty prefix of `digits`.
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
