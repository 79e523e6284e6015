#include "NumberingPlans.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <phonenumbers/phonemetadata.pb.h>
#include <string>
#include <vector>

namespace i18n {
namespace phonenumbers {

// Exported by the library, but their header is not installed.
__attribute__((weak)) int metadata_size();
__attribute__((weak)) const void *metadata_get();

}
}

namespace dialtone {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using i18n::phonenumbers::PhoneMetadata;
using i18n::phonenumbers::PhoneMetadataCollection;

namespace {

constexpr size_t longestCallingCode = 3;
// Parse has special rules for very short numbers and for those longer than E.164.
constexpr size_t fewestDigits = 7, mostDigits = 15;

/// The tag before each region in the serialized collection.
constexpr uint32_t regionTag = WireFormatLite::MakeTag(
    PhoneMetadataCollection::kMetadataFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED
);

/// Visits the library's metadata of each region, or none if the library does not export it. All at once would take 1
/// MB.
template <typename Visit>
void forEachRegion(Visit visit) {
    if (!i18n::phonenumbers::metadata_get || !i18n::phonenumbers::metadata_size) return;
    CodedInputStream collection(
        static_cast<const uint8_t *>(i18n::phonenumbers::metadata_get()), i18n::phonenumbers::metadata_size()
    );
    PhoneMetadata region;
    while (collection.ReadTag() == regionTag) {
        uint32_t size;
        std::string bytes;
        if (!collection.ReadVarint32(&size) || !collection.ReadString(&bytes, size) || !region.ParseFromString(bytes))
            return;
        visit(region);
    }
}

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
    // Never destroyed: threads may still be reading while the process exits.
    static const NumberingPlans *const plans = new NumberingPlans();
    return *plans;
}

NumberingPlans::NumberingPlans() {
    forEachRegion([&](const PhoneMetadata &region) {
        const int code = region.country_code();
        if (code >= 1 && code <= 999) callingCodes[code].isAssigned = true;
    });
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
