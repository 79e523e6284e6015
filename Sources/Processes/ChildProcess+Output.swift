extension ChildProcess {
    /// The destination of a process's output.
    public enum Output: Sendable {
        /// The same destination as this process.
        case inherit
        /// `/dev/null`.
        case discard
        /// Appends to a file, which is created (mode 0600) if it does not exist.
        case file(path: String)
        /// An open descriptor of this process, which stays open here.
        case descriptor(Int32)
    }
}
