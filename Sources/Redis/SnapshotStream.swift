/// The data of a server at one moment, in the format of RDB files, as the server sends it to a new replica.
///
/// The server forks for it, as for a file of its own, and treats the connection as that of a replica until this object
/// is released.
public final class SnapshotStream {
    /// How long the server may send nothing. While it prepares the data, it sends a line feed every ten seconds.
    private static let patience: Duration = .seconds(60)
    private static let lineFeed = UInt8(ascii: "\n")

    private let link: Link
    /// What followed the line that announces the data.
    private var first: ArraySlice<UInt8> = []

    /// Requests the data over a new link.
    fileprivate init(_ link: Link) throws(RedisError) {
        self.link = link
        // The data may be sent while it is created. The server need not keep later writes for this connection.
        let options = [Command("REPLCONF", "capa", "eof"), Command("REPLCONF", "rdb-only", "1")]
        for command in options { link.append(command) }
        try link.flush(until: .now + Self.patience)
        for _ in options {
            // An old server does not know each option, and works nevertheless.
            if case .error(let error) = try link.nextReply(until: .now + Self.patience), error.code == "NOPERM" {
                throw RedisError(error)
            }
        }
        link.append(Command("SYNC"))
        try link.flush(until: .now + Self.patience)
        try readAnnouncement()
    }

    /// Reads `$LENGTH` or `$EOF:MARK`. Neither is needed, because the data shows its own end.
    private func readAnnouncement() throws(RedisError) {
        var line: ArraySlice<UInt8> = []
        while true {
            line += try link.nextBytes(until: .now + Self.patience)
            line = line.drop { $0 == Self.lineFeed }
            guard let end = line.firstIndex(of: Self.lineFeed) else { continue }
            first = line[(end + 1)...]
            switch line.first {
            case UInt8(ascii: "$"): return
            case UInt8(ascii: "-"):
                let text = String(decoding: line[..<end].dropFirst(), as: UTF8.self).filter { !$0.isNewline }
                throw RedisError(ServerError(line: text))
            default: throw .protocolViolation("the reply to SYNC has an unexpected form")
            }
        }
    }

    /// Returns the next bytes, at least one.
    /// - Throws: ``RedisError``, also after the end of the data.
    public func next() throws(RedisError) -> [UInt8] {
        guard first.isEmpty else {
            defer { first = [] }
            return Array(first)
        }
        return try link.nextBytes(until: .now + Self.patience)
    }
}

extension Connection {
    /// Requests the data of a server, over a connection of its own.
    /// - Throws: ``RedisError``; ``RedisError/refused(_:)`` if the user may not send `SYNC` or `REPLCONF`.
    public func snapshot(of node: ServerNode) throws(RedisError) -> SnapshotStream {
        let end = ContinuousClock.now + configuration.connectTimeout
        guard let endpoint = node.endpoint else {
            return try SnapshotStream(Link.connect(configuration, until: end))
        }
        return try SnapshotStream(Link.connect(to: endpoint, configuration, until: end))
    }
}
