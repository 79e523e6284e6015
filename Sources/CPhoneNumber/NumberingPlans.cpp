#include "NumberingPlans.hpp"

#include "Metadata.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace dialtone {

using i18n::phonenumbers::PhoneMetadata;

namespace {

constexpr size_t longestCallingCode = 3;
// Parse has special rules for very short numbers, and for numbers that are longer than E.164 allows.
constexpr size_t fewestDigits = 7, mostDigits = 15;

NumberingPlan makePlan(int callingCode) {
    std::vector<PhoneMetadata> regions;
    forEachRegion([&](const PhoneMetadata &region) {
        if (region.country_code() != callingCode) return;
        regions.insert(region.main_country_for_code() ? regions.begin() : regions.end(), region);
    });
    return NumberingPlan(regions);
}

}

const NumberingPlans &NumberingPlans::shared() {
    // Never destroyed: other threads may still use it while the process exits.
    static const NumberingPlans *const plans = new NumberingPlans();
    return *plans;
}

NumberingPlans::NumberingPlans() {
    forEachRegion([&](const PhoneMetadata &region) {
        const int code = region.country_code();
        if (code >= 1 && code <= 999) callingCodes[code].isAssigned = true;
        if (region.id() != nonGeographicRegion) regions.push_back(region.id());
    });
}

bool NumberingPlans::hasRegion(const std::string &code) const {
    return std::find(regions.begin(), regions.end(), code) != regions.end();
}

bool NumberingPlans::read(
    std::string_view digits, cphonenumber_status &status, cphonenumber_reading &reading
) const {
    if (digits.size() < fewestDigits || digits.size() > mostDigits) return false;
    int code = 0;
    for (size_t length = 1; length <= longestCallingCode; ++length) {
        code = code * 10 + digits[length - 1] - '0';
        // No calling code is a prefix of another.
        if (!callingCodes[code].isAssigned) continue;
        const NumberingPlan *const plan = this->plan(code);
        const std::string_view national = digits.substr(length);
        if (!plan || plan->mayHavePrefix(national)) return false;
        status = plan->read(national, reading);
        return true;
    }
    return false;
}

const NumberingPlan *NumberingPlans::plan(int callingCode) const {
    const CallingCode &entry = callingCodes[callingCode];
    std::call_once(entry.once, [&] {
        try {
            entry.plan = std::make_unique<const NumberingPlan>(makePlan(callingCode));
        } catch (const UnsupportedPattern &) {
            // No plan: the library parses these numbers.
        }
    });
    return entry.plan.get();
}

}
