import Glibc

/// A new, empty directory that only this user can access (mode 0700). It is removed with its content when the value is
/// released.
///
/// The directory is in `$TMPDIR`, or in `/tmp` if `$TMPDIR` is unset or too long for the path of a Unix socket.
public final class TemporaryFolder: Sendable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// Creates the directory.
    ///
    /// - Parameter prefix: the prefix of the directory's name, to identify it in `/tmp`.
    /// - Throws: ``StartError/cannotOpenFile(_:errno:)``
    public init(prefix: String = "dialtone") throws(StartError) {
        let template = "\(Self.parent())/\(prefix)-XXXXXX"
        let bytes = strdup(template)
        defer { free(bytes) }
        guard let bytes, mkdtemp(bytes) != nil else { throw .cannotOpenFile(template, errno: errno) }
        path = String(cString: bytes)
    }

    /// Returns the path of a file in the directory; nothing is created.
    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// Removes the directory now. Symbolic links are removed, never followed.
    public func remove() { removeRecursively(path) }

    deinit { remove() }

    /// A Unix socket's path has at most 107 bytes; this leaves room for the directory and a file name.
    private static let maxParentBytes = 60

    private static func parent() -> String {
        guard let pointer = getenv("TMPDIR") else { return "/tmp" }
        var path = String(cString: pointer)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") && path.utf8.count <= maxParentBytes ? path : "/tmp"
    }
}

private func removeRecursively(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
        unlink(path)
        return
    }
    for name in entries(of: path) { removeRecursively("\(path)/\(name)") }
    rmdir(path)
}

private func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}
