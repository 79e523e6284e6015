/// A parser for Redis commands as clients send them (RESP): arrays of length-prefixed strings.
public struct CommandReader {
    /// One command.
    public struct Command {
        let bytes: [UInt8]
        /// The command's name and its first argument.
        public let words: [String]

        var isScript: Bool { words.first == "EVALSHA" }
        /// Whether the command belongs to a request, instead of preparing or checking a connection.
        var isOfRequest: Bool {
            guard let name = words.first, !Self.preparing.contains(name) else { return false }
            return words.count < 2 || !words[1].hasSuffix("{/}:deployment")
        }

        private static let preparing: Set<String> = ["AUTH", "CLIENT", "PING", "SCRIPT", "SELECT", "TIME", "WAIT"]
    }

    private var bytes: [UInt8] = []

    /// Creates a parser without input.
    public init() {}

    /// Appends what a client has sent.
    public mutating func append(_ more: [UInt8]) { bytes += more }

    /// Returns the next complete command; nil if there is none yet.
    public mutating func next() -> Command? {
        var position = 0
        guard let count = number(after: "*", at: &position) else { return nil }
        var words: [String] = []
        for index in 0..<count {
            guard let length = number(after: "$", at: &position), position + length + 2 <= bytes.count else {
                return nil
            }
            if index < 2 { words.append(String(decoding: bytes[position..<position + length], as: UTF8.self)) }
            position += length + 2
        }
        defer { bytes.removeFirst(position) }
        return Command(bytes: Array(bytes[..<position]), words: words)
    }

    private func number(after sign: Character, at position: inout Int) -> Int? {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: "\r")), end + 1 < bytes.count else { return nil }
        let line = String(decoding: bytes[position..<end], as: UTF8.self)
        precondition(line.first == sign, "no Redis command")
        position = end + 2
        return Int(line.dropFirst())
    }
}
