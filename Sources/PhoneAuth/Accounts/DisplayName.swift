/// What users call themselves, and their second factors.
enum DisplayName {
    /// Whether somebody, or a factor, may be called so, or not at all.
    static func isLegal(_ name: String?) -> Bool {
        name.map { $0.unicodeScalars.count <= Policy.maximumDisplayNameCharacters } ?? true
    }
}
