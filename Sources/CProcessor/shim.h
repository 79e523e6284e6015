// What a processor says of itself by the instruction CPUID, which Swift cannot reach.

#ifndef CPROCESSOR_SHIM_H
#define CPROCESSOR_SHIM_H

#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

/// Writes the maker's twelve letters, NUL-terminated, and the family as makers count it. False on another architecture.
static inline bool cprocessor_identify(char vendor[13], unsigned *family) {
#if defined(__x86_64__)
    unsigned highest, model, words[3], unused;
    if (!__get_cpuid(0, &highest, &words[0], &words[2], &words[1])) return false;
    if (!__get_cpuid(1, &model, &unused, &unused, &unused)) return false;
    memcpy(vendor, words, 12);
    vendor[12] = 0;
    *family = (model >> 8) & 15;
    if (*family == 15) *family += (model >> 20) & 255;
    return true;
#else
    (void)vendor;
    (void)family;
    return false;
#endif
}

#endif
