#pragma once

#include "CPhoneNumber.h"

#include <vector>

namespace dialtone {

/// Returns the library's geographic regions, sorted by code, from its metadata. Returns no regions if the metadata is
/// not exported, or if a number format uses unsupported syntax.
std::vector<cphonenumber_region> regionsOfMetadata();

/// Returns the regions with the library alone. Slow and large, but the reference by definition.
std::vector<cphonenumber_region> regionsOfLibrary();

}
