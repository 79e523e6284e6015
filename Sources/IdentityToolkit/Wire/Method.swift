/// An HTTP method that some path takes.
enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    /// Any other; its name is the client's text and does not go into the log.
    case other = "other"

    init(_ name: String?) {
        self = name.flatMap(Method.init(rawValue:)) ?? .other
    }
}
