#include "CIDN2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The declarations of idn2.h and uninorm.h. Building would otherwise need two more development packages.
enum { IDN2_NFC_INPUT = 1, IDN2_NONTRANSITIONAL = 8 };

static int (*lookup)(const uint8_t *domain, uint8_t **ascii, int flags);
static uint8_t *(*normalize)(const void *form, const uint8_t *text, size_t size, uint8_t *buffer, size_t *capacity);
static const void *composed;
static int is_loaded;

static void load(void) {
    void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    // The functions of libunistring, whose file name depends on the distribution, are found, too.
    *(void **)&lookup = dlsym(library, "idn2_lookup_u8");
    *(void **)&normalize = dlsym(library, "u8_normalize");
    composed = dlsym(library, "uninorm_nfc");
    is_loaded = lookup && normalize && composed;
}

static int is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

ptrdiff_t cidn2_normalize(const char *text, char *buffer, size_t capacity) {
    if (!is_available()) return -1;
    size_t length = capacity;
    uint8_t *result = normalize(composed, (const uint8_t *)text, strlen(text), (uint8_t *)buffer, &length);
    if (result == (uint8_t *)buffer) return (ptrdiff_t)length;
    // A longer result is in memory of its own.
    free(result);
    return -1;
}

ptrdiff_t cidn2_encode_domain(const char *domain, char *buffer, size_t capacity) {
    uint8_t *ascii = NULL;
    int flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL;
    if (!is_available() || lookup((const uint8_t *)domain, &ascii, flags) != 0) return -1;
    size_t length = strlen((const char *)ascii);
    int fits = length <= capacity;
    if (fits) memcpy(buffer, ascii, length);
    free(ascii);
    return fits ? (ptrdiff_t)length : -1;
}
