#pragma once

#include <functional>
#include <phonenumbers/phonemetadata.pb.h>

namespace dialtone {

/// The id of the metadata of calling codes that belong to no country. Several have it.
constexpr char nonGeographicRegion[] = "001";

/// Visits libphonenumber's metadata of each region, in the library's order, without creating its PhoneNumberUtil. All
/// at once would take 1 MB. Returns false if the library does not export its metadata, or not in the expected form.
bool forEachRegion(const std::function<void(const i18n::phonenumbers::PhoneMetadata &)> &visit);

}
