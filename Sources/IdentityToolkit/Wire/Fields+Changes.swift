internal import PhoneAuth

/// How users and operators say what becomes of an account's texts.
extension Fields {
    /// In the order of the numbers that some SDKs send.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]

    /// The attributes that are to go: `deleteAttribute`.
    func removedAttributes() throws(WireError) -> Set<String> {
        Set(try enumerations("deleteAttribute", Self.attributes))
    }
}

extension UpdateAccountRequest.Change {
    /// An empty text takes the one that is there away.
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
