#pragma once

#include "CPhoneNumber.h"

#include <string>

namespace dialtone {

/// Reads any text that the library accepts, with the library alone: slowly, and by definition rightly.
cphonenumber_status readWithLibrary(std::string text, cphonenumber_reading &reading);

}
