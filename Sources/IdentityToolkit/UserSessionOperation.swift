/// A user's operation on their sessions: `/v2/accounts/sessions:…`. An extension: the protocol has no such operations.
/// The raw values are the names in logs.
enum UserSessionOperation: String, Hashable, Sendable, CaseIterable {
    case list = "sessions.list"
    case end = "sessions.end"

    var path: String { "/v2/accounts/" + rawValue.map { $0 == "." ? ":" : String($0) }.joined() }
}
