#pragma once

#include "NumberingPlan.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace dialtone {

/// The numbering plans of all calling codes, which avoid calls to libphonenumber without changing a result.
///
/// The library spends nearly all of its time in regular expressions. PhoneNumberUtil::Parse searches for letters,
/// extensions and a second number, which plain digits cannot contain, and tries the number types of a region one by
/// one. The only thing that Parse can do to the digits after a plus sign is to remove a national prefix that was
/// dialed after the calling code (+44 0 20...). So a number that cannot begin with its plan's national prefix parses
/// to itself, and the plan decides about it.
///
/// The patterns are in libphonenumber's metadata. If a build of the library does not export its metadata, or a pattern
/// uses unsupported syntax, the library itself parses the affected numbers.
class NumberingPlans {
public:
    static const NumberingPlans &shared();

    /// Parses a calling code and a national number. Returns false if only the library can decide.
    bool read(std::string_view digits, cphonenumber_status &status, cphonenumber_reading &reading) const;

    /// Returns whether a country's region has this code. Returns false for every code if the library does not export
    /// its metadata.
    bool hasRegion(const std::string &code) const;

private:
    NumberingPlans();

    /// A plan is created with its first number, which takes 2 ms: most deployments see few countries. The metadata is
    /// parsed again for each plan, so that it need not be kept.
    struct CallingCode {
        bool isAssigned = false;
        mutable std::once_flag once;
        mutable std::unique_ptr<const NumberingPlan> plan;
    };

    std::array<CallingCode, 1000> callingCodes;
    std::vector<std::string> regions;

    const NumberingPlan *plan(int callingCode) const;
};

}
