#include "NationalFormat.hpp"

#include "DigitAutomaton.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace dialtone {

using i18n::phonenumbers::NumberFormat;
using i18n::phonenumbers::PhoneMetadata;

namespace {

/// The number of digits that a group of a number may have.
struct Group {
    int least = 1, most = 1;
};

/// Parses the pattern of a format: groups of digits, such as (\d)(\d{2,3})(\d{4}).
std::vector<Group> parseGroups(const std::string &pattern) {
    std::vector<Group> groups;
    for (const char *rest = pattern.c_str(); *rest != '\0';) {
        Group group;
        // Set by %n, which is reached only if all of the pattern before it matches.
        int length = 0;
        std::sscanf(rest, "(\\d)%n", &length);
        if (length == 0 && std::sscanf(rest, "(\\d{%d})%n", &group.least, &length) == 1) group.most = group.least;
        if (length == 0) std::sscanf(rest, "(\\d{%d,%d})%n", &group.least, &group.most, &length);
        if (length == 0 || group.least < 0 || group.most < group.least) throw UnsupportedPattern(pattern);
        groups.push_back(group);
        rest += length;
    }
    return groups;
}

/// Divides a number into groups, each as long as the later groups allow. Returns no groups if the number does not fit.
std::vector<std::string> divide(const std::string &number, const std::vector<Group> &groups) {
    int spare = static_cast<int>(number.size());
    for (const Group &group : groups) spare -= group.least;
    if (spare < 0) return {};
    std::vector<std::string> parts;
    size_t start = 0;
    for (const Group &group : groups) {
        const int more = std::min(spare, group.most - group.least);
        spare -= more;
        parts.push_back(number.substr(start, group.least + more));
        start += group.least + more;
    }
    if (spare > 0) return {};
    return parts;
}

bool appliesTo(const std::string &number, const NumberFormat &format) {
    if (format.leading_digits_pattern_size() == 0) return true;
    // The last pattern is the most detailed one.
    DigitPatterns patterns;
    patterns.add(*format.leading_digits_pattern().rbegin(), DigitPatterns::EndAnchor::refused);
    return DigitAutomaton(patterns).matchesBeginning(number);
}

/// Returns the template of a format, such as "$1 $2-$3", with the national prefix around its first group.
std::string templateOf(const NumberFormat &format) {
    std::string result = format.format(), prefixed = format.national_prefix_formatting_rule();
    if (prefixed.empty()) return result;
    const size_t place = prefixed.find("$1"), first = result.find('$');
    if (place == std::string::npos || first == std::string::npos) throw UnsupportedPattern(prefixed);
    prefixed.replace(place, 2, result, first, 2);
    return result.replace(first, 2, prefixed);
}

/// Replaces "$1" in a template by the first part, "$2" by the second, and so on.
std::string fill(const std::string &text, const std::vector<std::string> &parts) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '$') {
            result += text[i];
            continue;
        }
        const size_t part = ++i < text.size() ? text[i] - '1' : parts.size();
        if (part >= parts.size()) throw UnsupportedPattern(text);
        result += parts[part];
    }
    return result;
}

}

std::string formatNational(const std::string &number, const PhoneMetadata &plan) {
    if (number.find_first_not_of("0123456789") != std::string::npos) throw UnsupportedPattern("not digits");
    for (const NumberFormat &format : plan.number_format()) {
        const std::vector<std::string> parts = divide(number, parseGroups(format.pattern()));
        if (!parts.empty() && appliesTo(number, format)) return fill(templateOf(format), parts);
    }
    return number;
}

}
