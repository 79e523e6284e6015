internal import Synchronization

/// A client as the event loop knows it.
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
