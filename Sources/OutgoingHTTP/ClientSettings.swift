internal import Synchronization

/// The id and configuration of a client, for the event loop.
final class ClientSettings: Sendable {
    typealias ID = UInt64

    let id: ID
    let configuration: HTTPClientConfiguration

    private static let lastID = Atomic<ID>(0)

    init(_ configuration: HTTPClientConfiguration) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.configuration = configuration
    }
}
