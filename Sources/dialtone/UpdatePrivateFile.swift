import Glibc

/// Changes a file whole or not at all, one change after the other.
///
/// The new content is written beside the file, with the same owner and never more rights than its owner and its group's right to read,
/// and takes its place when it is on the disk. Readers see the one or the other. Others who change the file wait meanwhile.
///
/// - Parameters:
///   - path: the file; a symbolic link stays, and what it names is changed.
///   - change: gets the content and returns the new one; nil leaves the file as it is.
/// - Throws: a ``Failure`` that names the file, or what `change` throws. Then the file is as it was, unless only its folder
///   could not be flushed.
func updatePrivateFile(_ path: String, _ change: ([UInt8]) throws -> [UInt8]?) throws {
    guard let resolved = realpath(path, nil) else { throw Failure("\(path): \(lastSystemError())") }
    defer { free(resolved) }
    let file = String(cString: resolved)
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/"

    // The folder is locked, not the file, which is another one after each change.
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw Failure("\(folder): \(lastSystemError())") }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
        guard errno == EINTR else { throw Failure("\(folder): \(lastSystemError())") }
    }

    var information = stat()
    guard stat(file, &information) == 0 else { throw Failure("\(path): \(lastSystemError())") }
    guard let content = try change(readFile(file)) else { return }
    let draft = file + ".new"
    // One that is there was left by a process that died: whoever writes one has the lock.
    unlink(draft)
    do {
        try createDraft(draft, content, like: information)
        guard rename(draft, file) == 0 else { throw Failure("\(path): \(lastSystemError())") }
    } catch {
        unlink(draft)
        throw error
    }
    guard fsync(lock) == 0 else { throw Failure("\(folder): \(lastSystemError())") }
}

/// Makes a file with the owner, the group and at most the rights of another one.
private func createDraft(_ path: String, _ content: [UInt8], like model: stat) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("\(path): \(lastSystemError())") }
    defer { close(descriptor) }
    guard fchown(descriptor, model.st_uid, model.st_gid) == 0, fchmod(descriptor, model.st_mode & 0o640) == 0,
        writeAll(content, to: descriptor), fsync(descriptor) == 0
    else { throw Failure("\(path): \(lastSystemError())") }
}
