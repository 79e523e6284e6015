#pragma once

#include "NumberingPlan.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <string_view>

namespace dialtone {

/// The numbering plans of all calling codes, which spare calls into libphonenumber without changing an answer.
///
/// Nearly all of a reading's time goes into the library's regular expressions: PhoneNumberUtil::Parse looks for letters,
/// extensions and a second number, none of which plain digits can hold, and a region's types are tried one by one. All
/// that Parse can do to digits behind a plus sign is to take off a national prefix that was dialled after the calling
/// code (+44 0 20...). So a number that cannot begin with its plan's prefix is its own parse, and is read from the plan.
///
/// The patterns are in the metadata that libphonenumber carries. Should a build of the library not offer its metadata,
/// or a pattern be in a syntax that is not understood here, then every number concerned takes the way through the library.
class NumberingPlans {
public:
    static const NumberingPlans &shared();

    /// Reads calling code and national number. False when only the library can tell.
    bool read(std::string_view digits, cphonenumber_status &status, cphonenumber_reading &reading) const;

private:
    NumberingPlans();

    /// A plan is made when its first number comes, in 2 ms: most deployments see few countries, and the metadata is
    /// parsed anew for each rather than kept.
    struct CallingCode {
        bool isAssigned = false;
        mutable std::once_flag once;
        mutable std::unique_ptr<const NumberingPlan> plan;
    };

    std::array<CallingCode, 1000> callingCodes;

    const NumberingPlan *plan(int callingCode) const;
};

}
