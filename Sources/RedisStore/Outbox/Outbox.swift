/// What waits to be sent to the world. Each kind has a stream in each of its shards.
public enum Outbox: Sendable, CaseIterable {
    /// Text messages with verification codes.
    case messages
    /// Silent pushes.
    case pushes
}

/// What lies in an outbox: an entry of its stream.
public struct OutboxItem: Sendable {
    /// In which outbox it lies.
    public let outbox: Outbox
    /// In which part of it.
    public let shard: Shard
    /// The stream's name for it.
    public let entryID: String
    let fields: [String: [UInt8]]

    func text(_ name: String) -> String? { fields[name].map { String(decoding: $0, as: UTF8.self) } }

    func integer(_ name: String) -> Int64? { text(name).flatMap { Int64($0) } }
}
