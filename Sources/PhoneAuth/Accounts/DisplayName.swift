/// The display names of users and of their second factors.
enum DisplayName {
    /// Whether a display name is valid; nil means no name, which is valid.
    static func isLegal(_ name: String?) -> Bool {
        name.map { $0.unicodeScalars.count <= Policy.maximumDisplayNameCharacters } ?? true
    }
}
