internal import Encodings

/// Files of accounts: the same records and the same error are read, whatever the chunks.
///
/// The first byte of an input selects the sizes of the chunks.
@c(LLVMFuzzerTestOneInput)
public func fuzzAccountFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    guard let seed = input.first else { return 0 }
    let file = Array(input[1...])
    let whole = Reading(file) { file.count }
    require(Reading(file) { 1 } == whole, "byte by byte a file has the same records")
    var state = UInt32(seed)
    let mixed = Reading(file) {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int(state >> 16) % (1 << (state >> 29))
    }
    require(mixed == whole, "in chunks of any sizes a file has the same records")
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if !file.starts(with: mark) {
        let marked = Reading(mark + file) { file.count }
        require(marked == whole.moved(by: mark.count), "a byte order mark changes nothing")
    }
    return 0
}

/// The result of reading a file.
private struct Reading: Equatable {
    private struct Record: Equatable {
        let place: RecordPlace
        let content: [UInt8]?
    }

    private var records: [Record] = []
    private var fault: AccountFileError?

    init(_ file: [UInt8], nextSize: () -> Int) {
        var splitter = AccountFileSplitter()
        var taken: [Record] = []
        func take(_ record: FileRecord) { taken.append(Record(place: record.place, content: record.content)) }
        do throws(AccountFileError) {
            var start = 0
            while start < file.count {
                let end = min(start + max(nextSize(), 1), file.count)
                try splitter.split(Array(file[start..<end]), take)
                start = end
            }
            try splitter.finish(take)
        } catch {
            if case .unexpectedByte(let offset) = error {
                require(file.indices.contains(offset), "a fault is in the file")
            }
            fault = error
        }
        records = taken
    }

    func moved(by byteCount: Int) -> Reading {
        var reading = self
        if case .unexpectedByte(let offset) = fault { reading.fault = .unexpectedByte(offset: offset + byteCount) }
        return reading
    }
}
