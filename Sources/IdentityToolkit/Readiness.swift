internal import Synchronization

/// Whether a worker accepts new traffic; shared by its threads.
public final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    /// Creates the state of a worker that accepts traffic.
    public init() {}

    /// Makes the readiness check fail, so that load balancers stop sending traffic. Requests are still served.
    public func beginDraining() {
        draining.store(true, ordering: .relaxed)
    }

    var isDraining: Bool { draining.load(ordering: .relaxed) }
}
