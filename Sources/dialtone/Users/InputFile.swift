import Glibc

/// A file, or standard input, read sequentially.
final class InputFile {
    private static let chunkByteCount = 65_536

    private let descriptor: Int32

    /// Opens a file; `-` is standard input.
    init(_ path: String) throws(Failure) {
        descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(lastSystemError())") }
    }

    deinit { close(descriptor) }

    /// Returns the next bytes; empty at the end.
    func nextChunk() throws(Failure) -> [UInt8] {
        while true {
            var result = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { buffer, count in
                result = read(descriptor, buffer.baseAddress, buffer.count)
                count = max(0, result)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw Failure(lastSystemError()) }
            return chunk
        }
    }
}
