// libxcrypt's thread-safe crypt. Its work area contains a large array, which Swift cannot import, so the area stays in
// C.

#ifndef CCRYPT_SHIM_H
#define CCRYPT_SHIM_H

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

/// Hashes `phrase` with `setting`, which may be an earlier hash, and writes the NUL-terminated hash to `output`.
/// Returns false if memory is exhausted, or the library rejects the setting or the phrase.
static inline _Bool ccrypt_hash(const char *phrase, const char *setting, char output[CRYPT_OUTPUT_SIZE]) {
    extern void explicit_bzero(void *, size_t);
    struct crypt_data *area = (struct crypt_data *)calloc(1, sizeof *area);
    if (!area) return 0;
    const char *hash = crypt_r(phrase, setting, area);
    // The library reports failure as a string that begins with an asterisk, which no hash does.
    _Bool is_done = hash && hash[0] != '*';
    if (is_done) strcpy(output, hash);
    explicit_bzero(area, sizeof *area);
    free(area);
    return is_done;
}

#endif
