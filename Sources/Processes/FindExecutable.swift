import Glibc

/// Searches for an executable in `PATH`, then in `/usr/sbin` and `/sbin`, which contain servers and may not be in a
/// user's `PATH`.
///
/// - Parameter name: a name, or a path (with a slash), which is only checked.
/// - Returns: the path of an executable file, or nil if none was found.
public func findExecutable(_ name: String) -> String? {
    if name.contains("/") { return isExecutableFile(name) ? name : nil }
    if name.isEmpty { return nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isExecutableFile)
}

private func isExecutableFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
}
