extension FormFields {
    /// The media type of a body that ``encode(_:)`` made.
    public static let mediaType = "application/x-www-form-urlencoded"

    /// A body of fields in their order. The names are words of a protocol: letters, digits, `-` and `_`, which need no escape.
    public static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
