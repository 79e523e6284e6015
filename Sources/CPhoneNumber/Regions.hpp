#pragma once

#include "CPhoneNumber.h"

#include <vector>

namespace dialtone {

/// Returns the library's regions by code, without those of no country, as its metadata describes them. No region, if
/// the metadata is not exported or has a number format of unsupported syntax.
std::vector<cphonenumber_region> regionsOfMetadata();

/// Returns the regions with the library alone: slow, large, and the reference by definition.
std::vector<cphonenumber_region> regionsOfLibrary();

}
