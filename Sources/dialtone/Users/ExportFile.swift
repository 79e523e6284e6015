import Glibc

/// The destination of an export: standard output, or a file that only its owner can read. The file gets its name only
/// when it is complete.
///
/// Until then it is a draft beside the file. An export locks its draft, so that two exports to the same path cannot mix
/// or publish each other's drafts. The kernel releases the lock of an export that is killed. Without locks, on some
/// network file systems, this is not prevented.
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
        var status = stat()
        if stat(path, &status) == 0 {
            // Otherwise, --force would replace a device such as /dev/null.
            guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("\(path): exists and is not a regular file") }
            guard replaces else { throw Failure("\(path): the file exists; --force replaces it") }
        }
        descriptor = try Self.lockDraft(draft, of: path)
    }

    deinit {
        if path != nil { close(descriptor) }
    }

    /// Opens and locks an empty draft.
    private static func lockDraft(_ draft: String, of path: String) throws(Failure) -> Int32 {
        while true {
            // The file exists if an earlier export was killed.
            let descriptor = open(draft, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Failure("\(draft): \(lastSystemError())") }
            do throws(Failure) {
                guard try lock(descriptor, draft, of: path) else {
                    close(descriptor)
                    continue
                }
                return descriptor
            } catch {
                close(descriptor)
                throw error
            }
        }
    }

    /// Locks and empties a draft. Returns false if the path no longer names it.
    private static func lock(_ descriptor: Int32, _ draft: String, of path: String) throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno != EWOULDBLOCK else {
                throw Failure("\(path): another export is writing this file; wait for it, or use another file")
            }
            // Some network file systems have no locks. An export there is better than none: it conflicts only with an
            // export to the same path at the same time.
            if [ENOLCK, EOPNOTSUPP].contains(errno) { break }
            guard errno == EINTR else { throw Failure("\(draft): \(lastSystemError())") }
        }
        guard names(draft, descriptor) else { return false }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Failure("\(draft): \(lastSystemError())") }
        // The creator of another user's file could read it. A second link to the file would be a finished export, whose
        // process was killed before it removed the draft.
        guard information.st_uid == geteuid(), information.st_mode & S_IFMT == S_IFREG, information.st_nlink == 1 else {
            guard unlink(draft) == 0 else { throw Failure("\(draft): \(lastSystemError())") }
            return false
        }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
            throw Failure("\(draft): \(lastSystemError())")
        }
        return true
    }

    /// Returns whether a path is the name of an open file.
    private static func names(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
            && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
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
        guard Self.names(draft, descriptor) else {
            throw Failure("\(draft): the file was removed or replaced during the export; run it again")
        }
        // Unlike `rename`, `link` fails if another process has created a file with this name meanwhile.
        let isNamed = replaces ? rename(draft, path) == 0 : link(draft, path) == 0
        guard isNamed else { throw Failure("\(path): \(lastSystemError())") }
        if !replaces { unlink(draft) }
        isFinished = true
    }

    /// Removes the partial file, unless the export is finished.
    func discard() {
        if path != nil, !isFinished, Self.names(draft, descriptor) { unlink(draft) }
    }
}
