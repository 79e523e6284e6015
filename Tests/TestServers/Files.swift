import Glibc
public import Processes

extension TemporaryFolder {
    /// Writes a file (mode 0600), replacing its content.
    public func write(_ text: String, to name: String) throws(StartError) {
        let path = path(of: name)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpenFile(path, errno: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw .cannotOpenFile(path, errno: errno)
        }
    }

    /// Returns a file's content; empty if the file does not exist.
    public func read(_ name: String) -> String { readFile(path(of: name)) }
}

/// Returns a file's content as text, with invalid UTF-8 repaired; empty if the file does not exist.
public func readFile(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
        let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
        bytes += chunk
    }
}
