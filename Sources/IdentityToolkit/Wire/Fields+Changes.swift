internal import PhoneAuth

/// The fields by which users and operators set or remove an account's attributes.
extension Fields {
    /// In the order of the enumeration values, which some SDKs send.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]

    /// Returns the attributes to remove: those in `deleteAttribute`, and a display name or photo URL that is null, as
    /// the JS SDK's `updateProfile` sends it. In every other field, null is the same as an absent field.
    func removedAttributes() throws(WireError) -> Set<String> {
        var removed = Set(try enumerations("deleteAttribute", Self.attributes))
        if isNull("displayName") { removed.insert("DISPLAY_NAME") }
        if isNull("photoUrl") { removed.insert("PHOTO_URL") }
        return removed
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
