#ifndef CPHONENUMBER_H
#define CPHONENUMBER_H

// libphonenumber in plain C: no C++ type, exception or allocation crosses this interface.
// All functions are thread-safe.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CPHONENUMBER_OK = 0,
    /// The text is not a phone number, or memory was exhausted.
    CPHONENUMBER_MALFORMED,
    CPHONENUMBER_UNKNOWN_CALLING_CODE,
    /// Too short to be dialed from abroad. Includes numbers that can be dialed only within their own area.
    CPHONENUMBER_TOO_SHORT,
    /// Longer than its numbering plan or the 15 digits of E.164 allow.
    CPHONENUMBER_TOO_LONG,
    /// Between the plan's shortest and longest numbers, but of a length that no number has.
    CPHONENUMBER_NOT_POSSIBLE,
} cphonenumber_status;

/// The library's result for a number. Valid only if the status is CPHONENUMBER_OK.
typedef struct {
    /// The calling code and national number. A calling code never begins with 0, so an integer loses nothing.
    uint64_t digits;
    /// ISO 3166-1 alpha-2, "001" for a non-geographic calling code, "" if no region has this number.
    char region[4];
    bool is_valid;
} cphonenumber_reading;

/// Loads the list of calling codes and creates the plan of one, so that the first call does not take these few
/// milliseconds. The library itself is initialized, in 10 ms and 1.5 MB, by the first number that only it can parse: a
/// number that may begin with a national prefix, or that has an unusual length.
void cphonenumber_warm_up(void);

/// Parses an international number, given as its digits without the plus sign.
cphonenumber_status cphonenumber_read(uint64_t digits, cphonenumber_reading *reading);

/// Returns whether the library has a numbering plan for this NUL-terminated region code.
bool cphonenumber_is_region(const char *code);

/// The library's result for a number that a person is typing.
typedef struct {
    cphonenumber_status status;
    /// Like the two formats below, valid only if the status is CPHONENUMBER_OK.
    cphonenumber_reading reading;
    char national[48];
    char international[48];
    /// The typed digits with the separators of the numbering plan, whatever the status.
    char as_you_type[64];
} cphonenumber_typed;

/// Parses a number in any form that is dialed in a region: with or without a plus sign, an international prefix or a
/// national prefix. `digits` is NUL-terminated: at most 24 ASCII digits after an optional plus sign. `region` is a
/// code, or "ZZ" for none. The reading is that of cphonenumber_read for the number's international form.
void cphonenumber_read_typed(const char *digits, const char *region, cphonenumber_typed *typed);

/// One region of the library, for a list of countries.
typedef struct {
    char code[4];
    int calling_code;
    /// Whether the region is the main one of its calling code, as US is for +1.
    bool is_main;
    /// A mobile number of the region as people there write it; "" if the library has none.
    char example[48];
} cphonenumber_region;

/// More than the library has regions: a region code has two letters.
#define CPHONENUMBER_MOST_REGIONS (26 * 26)

/// Writes the library's geographic regions to an array, sorted by code. Returns their number. They are read from the
/// library's metadata: to create the examples, the library itself would allocate 4 MB and keep them.
size_t cphonenumber_regions(cphonenumber_region *regions, size_t capacity);

// For tests: the references with which the functions above are compared.

/// Like cphonenumber_read, but parses any text that the library accepts, with the library alone (slow).
cphonenumber_status cphonenumber_reference_read(const char *text, size_t length, cphonenumber_reading *reading);

/// Like cphonenumber_regions, but with the library alone (slow).
size_t cphonenumber_reference_regions(cphonenumber_region *regions, size_t capacity);

/// Writes the E.164 form of the library's example number with this index, NUL-terminated, to `buffer`. The examples
/// cover every region and type and every non-geographic calling code. Returns false if there are no more, or if the
/// buffer is too small (24 bytes always suffice).
bool cphonenumber_example(size_t index, char *buffer, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
