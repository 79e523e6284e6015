#include "CPhoneNumber.h"

#include "Reading.hpp"

#include <cstring>
#include <phonenumbers/phonenumberutil.h>
#include <set>
#include <string>
#include <vector>

using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

std::vector<std::string> makeExamples() {
    const PhoneNumberUtil &library = *PhoneNumberUtil::GetInstance();
    std::vector<std::string> examples;
    const auto add = [&](const PhoneNumber &number) {
        std::string text;
        library.Format(number, PhoneNumberUtil::E164, &text);
        examples.push_back(text);
    };
    std::set<std::string> regions;
    library.GetSupportedRegions(&regions);
    for (const std::string &region : regions) {
        for (int type = 0; type <= PhoneNumberUtil::UNKNOWN; ++type) {
            PhoneNumber number;
            if (library.GetExampleNumberForType(region, static_cast<PhoneNumberUtil::PhoneNumberType>(type), &number))
                add(number);
        }
    }
    std::set<int> networks;
    library.GetSupportedGlobalNetworkCallingCodes(&networks);
    for (const int network : networks) {
        PhoneNumber number;
        if (library.GetExampleNumberForNonGeoEntity(network, &number)) add(number);
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
