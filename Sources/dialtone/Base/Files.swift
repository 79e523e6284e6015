import Glibc

/// The largest file that ``readFile(_:named:)`` reads, in bytes.
private let maximumFileBytes = 16 << 20

/// Returns the whole content of a regular file of at most 16 MiB.
/// - Throws: a ``Failure`` that names the file by `name`, or by its path.
func readFile(_ path: String, named name: String? = nil) throws(Failure) -> [UInt8] {
    // Otherwise opening a named pipe would wait for a writer, and so would the thread that watches files.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(name ?? path): \(lastSystemError())") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure("\(name ?? path): \(lastSystemError())") }
    guard status.st_mode & S_IFMT != S_IFIFO else { throw Failure("\(name ?? path): a pipe, not a file") }
    guard status.st_size <= maximumFileBytes else {
        throw Failure("\(name ?? path): \(status.st_size) bytes, at most \(maximumFileBytes) are read")
    }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw Failure("\(name ?? path): \(lastSystemError())") }
        if count == 0 { return content }
        content.append(contentsOf: chunk[..<count])
        guard content.count <= maximumFileBytes else {
            throw Failure("\(name ?? path): more than \(maximumFileBytes) bytes, which are not read")
        }
    }
}

/// Creates a file that only its owner can read. An existing file is not changed.
/// - Throws: a ``Failure`` that names the file.
func createPrivateFile(_ path: String, _ content: [UInt8]) throws(Failure) {
    let descriptor = try openNewPrivateFile(path)
    defer { close(descriptor) }
    guard writeAll(content, to: descriptor), fsync(descriptor) == 0 else {
        let error = lastSystemError()
        unlink(path)
        throw Failure("\(path): \(error)")
    }
}

/// Creates an empty file that only its owner can read, and returns its descriptor for writing. An existing file is not
/// changed.
/// - Throws: a ``Failure`` that names the file.
func openNewPrivateFile(_ path: String) throws(Failure) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure("\(path): \(lastSystemError())") }
    return descriptor
}

@discardableResult
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

func lastSystemError() -> String {
    String(cString: strerror(errno))
}

/// Returns whether two paths name the same file, whatever symbolic links they contain. The file may be missing.
func namesSameFile(_ path: String, _ other: String) -> Bool {
    guard let resolved = resolvedPath(path) else { return false }
    return resolved == resolvedPath(other)
}

/// Returns the path without symbolic links; nil if its folder does not exist.
private func resolvedPath(_ path: String) -> String? {
    if let resolved = realpath(path, nil) {
        defer { free(resolved) }
        return String(cString: resolved)
    }
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    let folder = path.dropLast(name.count)
    guard !name.isEmpty, let resolved = realpath(folder.isEmpty ? "." : String(folder), nil) else { return nil }
    defer { free(resolved) }
    return "\(String(cString: resolved))/\(name)"
}

/// Changes a file atomically, and serializes concurrent changes.
///
/// The new content is written to a temporary file beside the file, with the same owner and group. Its permissions are a
/// subset of the file's and at most 0640. After `fsync` it is renamed over the file, so readers see either the old or
/// the new content. Concurrent writers wait for a lock.
///
/// - Parameters:
///   - path: the file; if it is a symbolic link, the link's target is changed.
///   - change: receives the content and returns the new content; nil leaves the file unchanged.
/// - Throws: a ``Failure`` that names the file, or the error of `change`. The file is then unchanged, unless only the
///   fsync of its folder failed.
func updatePrivateFile(_ path: String, _ change: ([UInt8]) throws -> [UInt8]?) throws {
    guard let resolved = realpath(path, nil) else { throw Failure("\(path): \(lastSystemError())") }
    defer { free(resolved) }
    let file = String(cString: resolved)
    let folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/"

    // The lock is on the folder, because each change replaces the file.
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
    // Only the holder of the lock writes a draft, so an existing one was left by a process that died.
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

/// Replaces or creates a file atomically. Everyone may read it.
/// - Throws: a ``Failure`` that names the file, which is then unchanged.
func replacePublicFile(_ path: String, _ content: [UInt8]) throws(Failure) {
    // The target of a symbolic link is replaced, not the link.
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let file = resolved.map { String(cString: $0) } ?? path
    let draft = file + ".new"
    unlink(draft)
    let descriptor = try openNewPrivateFile(draft)
    defer { close(descriptor) }
    guard writeAll(content, to: descriptor), fchmod(descriptor, 0o644) == 0, fsync(descriptor) == 0,
        rename(draft, file) == 0
    else {
        let error = lastSystemError()
        unlink(draft)
        throw Failure("\(path): \(error)")
    }
}

/// Creates a file with the owner, the group and at most the permissions of another file.
private func createDraft(_ path: String, _ content: [UInt8], like model: stat) throws(Failure) {
    let descriptor = try openNewPrivateFile(path)
    defer { close(descriptor) }
    guard fchown(descriptor, model.st_uid, model.st_gid) == 0, fchmod(descriptor, model.st_mode & 0o640) == 0,
        writeAll(content, to: descriptor), fsync(descriptor) == 0
    else { throw Failure("\(path): \(lastSystemError())") }
}
