/// How a file holds accounts. `AccountFiles.docc` describes both.
public enum AccountFileFormat: String, Sendable, CaseIterable {
    /// An account a line, everything that is known of it: our own.
    case jsonLines = "json-lines"
    /// What the Firebase CLI's `auth:export` writes and `auth:import` reads: an object with the member `users`.
    case firebase
}
