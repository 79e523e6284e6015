#pragma once

#include <functional>
#include <phonenumbers/phonemetadata.pb.h>

namespace dialtone {

/// The metadata's id of calling codes that belong to no country. Several calling codes have this id.
constexpr char nonGeographicRegion[] = "001";

/// Visits libphonenumber's metadata of each region, in the library's order, without creating a PhoneNumberUtil. The
/// regions are parsed one by one, because all together would take 1 MB. Returns false if the library does not export
/// its metadata, or if the metadata does not have the expected form.
bool forEachRegion(const std::function<void(const i18n::phonenumbers::PhoneMetadata &)> &visit);

}
