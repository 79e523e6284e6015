#include "CNumberingData.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t data[] = {
#embed "numbering.tsv"
};

const uint8_t *cnumbering_data(void) { return data; }
size_t cnumbering_data_size(void) { return sizeof data; }
