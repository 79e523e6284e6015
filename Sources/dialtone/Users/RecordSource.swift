import AccountFiles
import Glibc

/// The records of a file, in batches.
final class RecordSource {
    private let file: InputFile
    private var splitter = AccountFileSplitter()
    private var waiting: [FileRecord] = []
    private var isOver = false
    /// Why reading the file stopped before its end. Set once all earlier records have been returned.
    private(set) var fault: String?

    init(_ file: InputFile) {
        self.file = file
    }

    /// Returns the next records: fewer than `count` only at the end, and nil after it.
    func next(_ count: Int) -> [FileRecord]? {
        while waiting.count < count, !isOver { read() }
        guard !waiting.isEmpty else { return nil }
        defer { waiting.removeFirst(min(count, waiting.count)) }
        return Array(waiting.prefix(count))
    }

    private func read() {
        do {
            let chunk = try file.nextChunk()
            if chunk.isEmpty {
                isOver = true
                try splitter.finish { waiting.append($0) }
            } else {
                try splitter.split(chunk) { waiting.append($0) }
            }
        } catch {
            isOver = true
            fault = "\(error)"
        }
    }
}

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
