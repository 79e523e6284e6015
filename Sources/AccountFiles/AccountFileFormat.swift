/// The format of an exported account file. `AccountFiles.docc` describes both formats.
public enum AccountFileFormat: String, Sendable, CaseIterable {
    /// Dialtone's own format: one account per line, with all its data.
    case jsonLines = "json-lines"
    /// The format of the Firebase CLI's `auth:export` and `auth:import`: an object with the member `users`.
    case firebase
}
