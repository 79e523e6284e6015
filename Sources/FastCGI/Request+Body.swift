extension Request {
    /// The body of a request.
    public enum Body: Sendable, Hashable {
        /// The whole body; empty if the request has none.
        case bytes([UInt8])
        /// The body exceeds ``ServerConfiguration/maxBodyBytes``. It was not read, and the connection closes after the
        /// response.
        case tooLarge
        /// The body's length differs from `CONTENT_LENGTH`.
        case incomplete
    }
}
