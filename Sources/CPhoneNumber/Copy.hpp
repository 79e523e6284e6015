#pragma once

#include <cstring>
#include <string>

namespace dialtone {

/// Copies a text to an array of C, followed by zeros. A text that does not fit is left out, because a part of a number
/// is a wrong number.
template <size_t capacity> void copy(const std::string &text, char (&array)[capacity]) {
    std::memset(array, 0, capacity);
    if (text.size() < capacity) text.copy(array, text.size());
}

}
