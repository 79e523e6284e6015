#include "CPhoneNumber.h"

#include "Library.hpp"
#include "NumberingPlans.hpp"
#include "Reading.hpp"
#include "Regions.hpp"

#include <algorithm>
#include <string>

using dialtone::NumberingPlans;

namespace {

cphonenumber_status read(uint64_t digits, cphonenumber_reading &reading) {
    const std::string text = std::to_string(digits);
    cphonenumber_status status;
    if (NumberingPlans::shared().read(text, status, reading)) {
        reading.digits = digits;
        return status;
    }
    return dialtone::readWithLibrary("+" + text, reading);
}

}

void cphonenumber_warm_up(void) {
    cphonenumber_reading reading;
    cphonenumber_read(16505550100, &reading);
}

cphonenumber_status cphonenumber_read(uint64_t digits, cphonenumber_reading *reading) {
    try {
        return read(digits, *reading);
    } catch (...) {
        return CPHONENUMBER_MALFORMED;
    }
}

bool cphonenumber_is_region(const char *code) {
    try {
        return NumberingPlans::shared().hasRegion(code) || dialtone::library().GetCountryCodeForRegion(code) != 0;
    } catch (...) {
        return false;
    }
}

size_t cphonenumber_regions(cphonenumber_region *regions, size_t capacity) {
    try {
        std::vector<cphonenumber_region> all = dialtone::regionsOfMetadata();
        if (all.empty()) all = dialtone::regionsOfLibrary();
        return std::copy_n(all.begin(), std::min(all.size(), capacity), regions) - regions;
    } catch (...) {
        return 0;
    }
}
