public import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A store that keeps data in files with mode 0600, in a folder with mode 0700.
public struct FileStore: AuthStore {
    /// The folder, which is created when data is stored for the first time.
    public let folder: URL

    /// Creates a store in a folder that nothing else uses.
    public init(folder: URL) { self.folder = folder }

    /// Returns the data of a file; nil if it does not exist.
    public func read(_ key: String) throws -> Data? {
        let descriptor = open(path(of: key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("read")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try file.readToEnd() ?? Data()
    }

    /// Replaces a file atomically: another process reads either the old or the new data.
    public func write(_ data: Data, for key: String) throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let temporary = path(of: ".\(key)-\(UUID().uuidString)")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("write") }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: data)
            try file.synchronize()
            try file.close()
            guard rename(temporary, path(of: key)) == 0 else { throw failure("replace") }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Removes a file, if it exists, and temporary files of processes that ended while they wrote it.
    public func remove(_ key: String) throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(".\(key)-") {
            unlink(path(of: name))
        }
        guard unlink(path(of: key)) == 0 || errno == ENOENT || errno == ENOTDIR else { throw failure("remove") }
    }

    private func path(of name: String) -> String { folder.appendingPathComponent(name).path }

    private func failure(_ operation: String) -> NSError {
        let reason = String(cString: strerror(errno))
        return AuthErrorCode.keychainError.error("Cannot \(operation) a file in \(folder.path): \(reason).")
    }
}
