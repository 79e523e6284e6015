extension ChildProcess {
    /// Where a process writes.
    public enum Output: Sendable {
        /// To where this process writes.
        case inherit
        /// To nowhere.
        case discard
        /// To the end of a file, which is made (mode 0600) if it is not there.
        case file(path: String)
        /// To an open descriptor of this process, which stays open here.
        case descriptor(Int32)
    }
}
