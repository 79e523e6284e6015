/// Takes Redis commands apart as a client sends them: arrays of strings with their lengths.
struct CommandReader {
    struct Command {
        let bytes: [UInt8]
        let isScript: Bool
    }

    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// The next command that has come whole.
    mutating func next() -> Command? {
        var position = 0
        guard let count = number(after: "*", at: &position) else { return nil }
        var name: ArraySlice<UInt8> = []
        for index in 0..<count {
            guard let length = number(after: "$", at: &position), position + length + 2 <= bytes.count else {
                return nil
            }
            if index == 0 { name = bytes[position..<position + length] }
            position += length + 2
        }
        defer { bytes.removeFirst(position) }
        return Command(bytes: Array(bytes[..<position]), isScript: name.elementsEqual("EVALSHA".utf8))
    }

    private func number(after sign: Character, at position: inout Int) -> Int? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\r")), end + 1 < bytes.count else { return nil }
        let line = String(decoding: bytes[position..<end], as: UTF8.self)
        precondition(line.first == sign, "no Redis command")
        position = end + 2
        return Int(line.dropFirst())
    }
}
