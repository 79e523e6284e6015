import Glibc

/// The destination of an export: standard output, or a file that only its owner can read. The file gets its name only
/// when it is complete.
final class ExportFile {
    private let path: String?
    private let draft: String
    private let replaces: Bool
    private let descriptor: Int32
    private var isFinished = false

    /// Opens a file, or uses standard output if `path` is nil. If `replaces` is true, an existing file is replaced.
    init(_ path: String?, replaces: Bool) throws(Failure) {
        self.path = path
        self.replaces = replaces
        draft = (path ?? "") + ".partial"
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        guard replaces || access(path, F_OK) != 0 else {
            throw Failure("\(path): the file exists; --force replaces it")
        }
        // A partial file was left by an export that was killed.
        unlink(draft)
        descriptor = try openNewPrivateFile(draft)
    }

    deinit {
        if path != nil { close(descriptor) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        guard writeAll(bytes, to: descriptor) else {
            throw Failure("\(path ?? "standard output"): \(lastSystemError())")
        }
    }

    /// Flushes the complete file to disk, then gives it its name.
    func finish() throws(Failure) {
        guard let path else { return }
        guard fsync(descriptor) == 0 else { throw Failure("\(path): \(lastSystemError())") }
        // Unlike `rename`, `link` fails if another process has created a file with this name meanwhile.
        let isNamed = replaces ? rename(draft, path) == 0 : link(draft, path) == 0
        guard isNamed else { throw Failure("\(path): \(lastSystemError())") }
        if !replaces { unlink(draft) }
        isFinished = true
    }

    /// Removes the partial file, unless the export is finished.
    func discard() {
        if path != nil, !isFinished { unlink(draft) }
    }
}
