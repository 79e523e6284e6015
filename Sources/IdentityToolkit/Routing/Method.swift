/// An HTTP method that a path accepts.
enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    /// Any other method. Its name is client-supplied text and is not logged.
    case other = "other"

    init(_ name: String?) {
        self = name.flatMap(Method.init(rawValue:)) ?? .other
    }
}
