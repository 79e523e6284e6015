#include "DigitAutomaton.hpp"

#include <algorithm>
#include <map>

namespace dialtone {

namespace {

constexpr size_t mostStates = 20000;

/// A set of NFA states that are active at once, sorted and unique.
using Subset = std::vector<int>;

/// Adds all states that are reachable without a digit (epsilon closure).
Subset closure(const DigitPatterns &patterns, Subset subset) {
    std::vector<int> unfollowed = subset;
    while (!unfollowed.empty()) {
        const int state = unfollowed.back();
        unfollowed.pop_back();
        for (const int reached : patterns[state].free) {
            if (std::find(subset.begin(), subset.end(), reached) != subset.end()) continue;
            subset.push_back(reached);
            unfollowed.push_back(reached);
        }
    }
    // States that only lead to other states are no longer needed.
    const auto isPassed = [&](int state) { return !patterns[state].digits && !patterns[state].accepted; };
    subset.erase(std::remove_if(subset.begin(), subset.end(), isPassed), subset.end());
    std::sort(subset.begin(), subset.end());
    return subset;
}

/// Returns the states that a digit leads to, without their closure.
Subset following(const DigitPatterns &patterns, const Subset &subset, int digit) {
    Subset result;
    for (const int state : subset) {
        if (patterns[state].digits >> digit & 1) result.push_back(patterns[state].next);
    }
    return result;
}

}

DigitAutomaton::DigitAutomaton() : states{State{}, State{}} {}

DigitAutomaton::DigitAutomaton(const DigitPatterns &patterns) : states{State{}} {
    std::map<Subset, uint16_t> numbers{{Subset{}, dead}};
    std::vector<Subset> subsets{Subset{}};
    const auto numberOf = [&](Subset subset) {
        const auto [found, isNew] = numbers.try_emplace(std::move(subset), static_cast<uint16_t>(subsets.size()));
        if (isNew) {
            if (subsets.size() == mostStates) throw UnsupportedPattern("too many states");
            subsets.push_back(found->first);
            states.push_back(State{});
        }
        return found->second;
    };
    numberOf(closure(patterns, patterns.beginnings()));
    for (size_t number = start; number < subsets.size(); ++number) {
        for (const int state : subsets[number]) states[number].accepted |= patterns[state].accepted;
        // Most digits lead to the same state as the digit before them: patterns have ranges such as [2-9].
        Subset before;
        uint16_t next = dead;
        for (int digit = 0; digit < 10; ++digit) {
            Subset reached = following(patterns, subsets[number], digit);
            if (reached != before) {
                next = numberOf(closure(patterns, reached));
                before = std::move(reached);
            }
            states[number].next[digit] = next;
        }
    }
    if (states.size() == start) states.push_back(State{});
    states.shrink_to_fit();
}

uint16_t DigitAutomaton::match(std::string_view digits) const {
    uint16_t state = start;
    for (const char digit : digits) state = states[state].next[digit - '0'];
    return states[state].accepted;
}

bool DigitAutomaton::matchesBeginning(std::string_view digits) const {
    uint16_t state = start;
    for (const char digit : digits) {
        state = states[state].next[digit - '0'];
        if (states[state].accepted) return true;
        if (state == dead) return false;
    }
    return false;
}

}
