/// The display names of users and of their second factors.
public enum DisplayName {
    /// The maximum length of a user's display name, in characters.
    public static let maximumCharacters = 256

    /// Returns whether a display name is valid; nil means no name, which is valid.
    static func isLegal(_ name: String?) -> Bool {
        name.map { $0.unicodeScalars.count <= DisplayName.maximumCharacters } ?? true
    }
}
