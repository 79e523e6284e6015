#pragma once

#include <cstring>
#include <string>

namespace dialtone {

/// Copies a text into a C array and fills the rest with zeros. Writes only zeros if the text does not fit, because a
/// part of a number is a wrong number.
template <size_t capacity> void copy(const std::string &text, char (&array)[capacity]) {
    std::memset(array, 0, capacity);
    if (text.size() < capacity) text.copy(array, text.size());
}

}
