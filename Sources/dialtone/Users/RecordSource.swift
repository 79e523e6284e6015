import AccountFiles

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
