extension Request {
    /// What became of a request's body.
    public enum Body: Sendable, Hashable {
        /// The whole body; empty when there is none.
        case bytes([UInt8])
        /// More than ``ServerConfiguration/maxBodyBytes``. It was not read, and the connection closes after the answer.
        case tooLarge
        /// Its length is not the one that was announced (`CONTENT_LENGTH`).
        case incomplete
    }
}
