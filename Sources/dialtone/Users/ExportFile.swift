import Glibc

/// Where an export goes: standard output, or a file that only its owner may read and that gets its name when it is whole.
final class ExportFile {
    private let path: String?
    private let draft: String
    private let replaces: Bool
    private let descriptor: Int32
    private var isFinished = false

    /// Opens a file, or takes standard output where `path` is nil. Where it `replaces`, one of that name goes.
    init(_ path: String?, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        draft = (path ?? "") + ".partial"
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        guard replaces || access(path, F_OK) != 0 else { throw Failure("\(path): File exists: --force replaces it") }
        // One that is there was left by an export that was killed.
        unlink(draft)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(draft): \(lastSystemError())") }
    }

    deinit {
        if path != nil { close(descriptor) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes, to: descriptor) else {
            throw Failure("\(path ?? "standard output"): \(lastSystemError())")
        }
    }

    /// Gives the file its name, when it is on the disk.
    func finish() throws(Failure) {
        guard let path else { return }
        guard fsync(descriptor) == 0 else { throw Failure("\(path): \(lastSystemError())") }
        // Unlike a renaming, a link fails where another file got the name meanwhile.
        let isNamed = replaces ? rename(draft, path) == 0 : link(draft, path) == 0
        guard isNamed else { throw Failure("\(path): \(lastSystemError())") }
        if !replaces { unlink(draft) }
        isFinished = true
    }

    /// Removes what was written, unless it was finished.
    func discard() {
        if path != nil, !isFinished { unlink(draft) }
    }
}
