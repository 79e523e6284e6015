extension FormFields {
    /// The media type of a body from ``encode(_:)``.
    public static let mediaType = "application/x-www-form-urlencoded"

    /// Encodes fields as a body, in order. Names must be protocol constants: letters, digits, `-` and `_`, which need
    /// no escaping.
    public static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
