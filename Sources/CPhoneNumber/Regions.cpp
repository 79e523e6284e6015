#include "Regions.hpp"

#include "Copy.hpp"
#include "DigitPatterns.hpp"
#include "Library.hpp"
#include "Metadata.hpp"
#include "NationalFormat.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace dialtone {

using i18n::phonenumbers::PhoneMetadata;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

namespace {

cphonenumber_region regionOfLibrary(const std::string &code) {
    cphonenumber_region region;
    copy(code, region.code);
    region.calling_code = library().GetCountryCodeForRegion(code);
    std::string main;
    library().GetRegionCodeForCountryCode(region.calling_code, &main);
    region.is_main = main == code;
    PhoneNumber number;
    std::string example;
    if (library().GetExampleNumberForType(code, PhoneNumberUtil::MOBILE, &number))
        library().Format(number, PhoneNumberUtil::NATIONAL, &example);
    copy(example, region.example);
    return region;
}

}

std::vector<cphonenumber_region> regionsOfMetadata() {
    std::vector<cphonenumber_region> regions;
    std::map<int, std::string> mainRegions;
    const bool isExported = forEachRegion([&](const PhoneMetadata &metadata) {
        if (metadata.id() == nonGeographicRegion) return;
        cphonenumber_region region{};
        copy(metadata.id(), region.code);
        region.calling_code = metadata.country_code();
        copy(metadata.mobile().example_number(), region.example);
        regions.push_back(region);
        // Only calling codes that several regions share have a region that is marked as the main one.
        if (metadata.main_country_for_code()) mainRegions[region.calling_code] = region.code;
        else mainRegions.emplace(region.calling_code, region.code);
    });
    if (!isExported) return {};
    try {
        forEachRegion([&](const PhoneMetadata &metadata) {
            if (mainRegions[metadata.country_code()] != metadata.id()) return;
            for (cphonenumber_region &region : regions) {
                if (region.calling_code != metadata.country_code()) continue;
                region.is_main = region.code == metadata.id();
                copy(formatNational(region.example, metadata), region.example);
            }
        });
    } catch (const UnsupportedPattern &) {
        return {};
    }
    std::sort(regions.begin(), regions.end(), [](const auto &one, const auto &other) {
        return std::string_view(one.code) < other.code;
    });
    return regions;
}

std::vector<cphonenumber_region> regionsOfLibrary() {
    std::set<std::string> codes;
    library().GetSupportedRegions(&codes);
    std::vector<cphonenumber_region> regions;
    for (const std::string &code : codes) regions.push_back(regionOfLibrary(code));
    return regions;
}

}
