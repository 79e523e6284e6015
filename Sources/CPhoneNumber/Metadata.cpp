#include "Metadata.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <string>

namespace i18n {
namespace phonenumbers {

// The library exports these functions but does not install their header.
__attribute__((weak)) int metadata_size();
__attribute__((weak)) const void *metadata_get();

}
}

namespace dialtone {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using i18n::phonenumbers::PhoneMetadata;
using i18n::phonenumbers::PhoneMetadataCollection;

namespace {

/// The tag before each region in the serialized collection.
constexpr uint32_t regionTag = WireFormatLite::MakeTag(
    PhoneMetadataCollection::kMetadataFieldNumber, WireFormatLite::WIRETYPE_LENGTH_DELIMITED
);

}

bool forEachRegion(const std::function<void(const PhoneMetadata &)> &visit) {
    if (!i18n::phonenumbers::metadata_get || !i18n::phonenumbers::metadata_size) return false;
    CodedInputStream collection(
        static_cast<const uint8_t *>(i18n::phonenumbers::metadata_get()), i18n::phonenumbers::metadata_size()
    );
    PhoneMetadata region;
    while (collection.ReadTag() == regionTag) {
        uint32_t size;
        std::string bytes;
        if (!collection.ReadVarint32(&size) || !collection.ReadString(&bytes, size) || !region.ParseFromString(bytes))
            return false;
        visit(region);
    }
    return collection.ConsumedEntireMessage();
}

}
