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
    }
}

/// Creates a file that only its owner can read. An existing file is not changed.
/// - Throws: a ``Failure`` that names the file.
func createPrivateFile(_ path: String, _ content: [UInt8]) throws(Failure) {
    let descriptor = try openNewPrivateFile(path)
    defer { close(descriptor) }
    guard writeAll(content, to: descriptor), fsync(descriptor) == 0 else {
        throw Failure("\(path): \(lastSystemError())")
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
