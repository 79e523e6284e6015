internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore
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

extension IdentityToolkitHandler {
    /// Reports that the process is alive.
    func health() -> Response {
        .json(JSONWriter.object { $0.member("status", "ok") })
    }

    /// Reports whether the process can serve requests: it is not draining, Redis responds, and the current index key is
    /// in the key file. Other keys need no check, because a process without keys does not start. During an index key
    /// rotation workers stay ready: no worker could do more.
    mutating func checkReadiness() throws(WireError) -> Response {
        guard !readiness.isDraining else { throw .unavailable(logDetail: "draining") }
        do {
            try authenticator.checkStore()
        } catch {
            throw .unavailable(logDetail: error.description)
        }
        do {
            try authenticator.useIndexKeyInForce(duringMove: .underFormerKey)
        } catch {
            throw error.wire
        }
        return .json(JSONWriter.object { $0.member("status", "ready") })
    }
}
