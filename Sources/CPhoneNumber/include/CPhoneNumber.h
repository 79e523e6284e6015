#ifndef CPHONENUMBER_H
#define CPHONENUMBER_H

// libphonenumber in plain C: no C++ type, exception or allocation passes this border.
// Every function may be called from any thread.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CPHONENUMBER_OK = 0,
    /// The text is no phone number, or the library could not say (memory exhausted).
    CPHONENUMBER_MALFORMED,
    CPHONENUMBER_UNKNOWN_CALLING_CODE,
    /// Too short to be dialled from abroad; a number that works only inside its own area counts as this.
    CPHONENUMBER_TOO_SHORT,
    /// Longer than its numbering plan, or than the 15 digits of E.164.
    CPHONENUMBER_TOO_LONG,
    /// Between the plan's shortest and longest numbers, but of a length that none of them has.
    CPHONENUMBER_NOT_POSSIBLE,
} cphonenumber_status;

/// What the library says of a number. Filled in only with CPHONENUMBER_OK.
typedef struct {
    /// Calling code and national number; a calling code never begins with 0, so an integer loses nothing.
    uint64_t digits;
    /// ISO 3166-1 alpha-2, "001" for a non-geographic calling code, "" when no region has this number.
    char region[4];
    bool is_valid;
} cphonenumber_reading;

/// Finds out which calling codes there are, and makes the plan of one: a few milliseconds that the first call would
/// otherwise pay. The library itself is set up, in 10 ms and 2 MB, by the first number that only it can read: one that
/// may begin with a national prefix, or is of an unusual length.
void cphonenumber_warm_up(void);

/// Reads an international number given as its digits without the plus sign.
cphonenumber_status cphonenumber_read(uint64_t digits, cphonenumber_reading *reading);

/// Whether the library has a numbering plan for this NUL-terminated region code.
bool cphonenumber_is_region(const char *code);

// For tests: the measure that cphonenumber_read is held against.

/// As cphonenumber_read, from any text that the library accepts, in the library's plain and slow way.
cphonenumber_status cphonenumber_reference_read(const char *text, size_t length, cphonenumber_reading *reading);

/// Writes the E.164 form of the library's example number with this index, NUL-terminated, to `buffer`. Examples
/// cover every region and type and every non-geographic calling code. False when there are no more, or when the
/// buffer is too small (24 bytes always suffice).
bool cphonenumber_example(size_t index, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
