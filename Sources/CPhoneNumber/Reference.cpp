#include "CPhoneNumber.h"

#include "Library.hpp"
#include "Reading.hpp"
#include "Regions.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

using dialtone::library;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

std::vector<std::string> makeExamples() {
    std::vector<std::string> examples;
    const auto add = [&](const PhoneNumber &number) {
        std::string text;
        library().Format(number, PhoneNumberUtil::E164, &text);
        examples.push_back(text);
    };
    std::set<std::string> regions;
    library().GetSupportedRegions(&regions);
    for (const std::string &region : regions) {
        for (int type = 0; type <= PhoneNumberUtil::UNKNOWN; ++type) {
            PhoneNumber number;
            if (library().GetExampleNumberForType(region, static_cast<PhoneNumberUtil::PhoneNumberType>(type), &number))
                add(number);
        }
    }
    std::set<int> networks;
    library().GetSupportedGlobalNetworkCallingCodes(&networks);
    for (const int network : networks) {
        PhoneNumber number;
        if (library().GetExampleNumberForNonGeoEntity(network, &number)) add(number);
    }
    return examples;
}

}

cphonenumber_status cphonenumber_reference_read(const char *text, size_t length, cphonenumber_reading *reading) {
    try {
        return dialtone::readWithLibrary(std::string(text, length), *reading);
    } catch (...) {
        return CPHONENUMBER_MALFORMED;
    }
}

size_t cphonenumber_reference_regions(cphonenumber_region *regions, size_t capacity) {
    try {
        const std::vector<cphonenumber_region> all = dialtone::regionsOfLibrary();
        return std::copy_n(all.begin(), std::min(all.size(), capacity), regions) - regions;
    } catch (...) {
        return 0;
    }
}

bool cphonenumber_example(size_t index, char *buffer, size_t capacity) {
    try {
        static const std::vector<std::string> &examples = *new std::vector<std::string>(makeExamples());
        if (index >= examples.size() || examples[index].size() >= capacity) return false;
        std::memcpy(buffer, examples[index].c_str(), examples[index].size() + 1);
        return true;
    } catch (...) {
        return false;
    }
}
