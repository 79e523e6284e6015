#pragma once

#include "CPhoneNumber.h"

#include <string>

namespace dialtone {

/// Parses any text that the library accepts, with the library alone. Slow, but the reference by definition.
cphonenumber_status readWithLibrary(std::string text, cphonenumber_reading &reading);

}
