internal import PhoneAuth

/// The fields by which users and operators set or remove an account's attributes.
extension Fields {
    /// In the order of the enumeration values, which some SDKs send.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]

    /// Returns the attributes to remove: `deleteAttribute`.
    func removedAttributes() throws(WireError) -> Set<String> {
        Set(try enumerations("deleteAttribute", Self.attributes))
    }
}

extension UpdateAccountRequest.Change {
    /// Reads a change. An empty text removes the current value.
    init(_ text: String?, isRemoved: Bool) {
        if isRemoved {
            self = .removed
        } else if let text {
            self = text.isEmpty ? .removed : .set(text)
        } else {
            self = .unchanged
        }
    }
}
