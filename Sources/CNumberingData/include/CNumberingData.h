#ifndef CNUMBERINGDATA_H
#define CNUMBERINGDATA_H

#include <stddef.h>
#include <stdint.h>

/// The content of numbering.tsv, as read-only data of the program.
const uint8_t *cnumbering_data(void);
size_t cnumbering_data_size(void);

#endif
