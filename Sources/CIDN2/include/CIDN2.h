// The forms in which e-mail addresses outside ASCII are compared: NFC, and domains in ASCII (IDNA 2008).

#ifndef CIDN2_H
#define CIDN2_H

#include <stddef.h>

// libidn2, and libunistring, on which it depends, are loaded with the first text that needs them, so most processes
// never load them. The package libcurl4 needs them, too. If they cannot be loaded, every text counts as invalid.

/// Writes a text that is not empty in Unicode's normalization form C, without a final NUL.
///
/// Returns the number of bytes, or -1 if the text is not valid UTF-8 or its form is longer than the buffer.
ptrdiff_t cidn2_normalize(const char *text, char *buffer, size_t capacity);

/// Writes the ASCII form of a domain, whose internationalized labels start with `xn--`, without a final NUL.
///
/// Returns the number of bytes, or -1 if the domain has no such form or the form is longer than the buffer.
ptrdiff_t cidn2_encode_domain(const char *domain, char *buffer, size_t capacity);

#endif
