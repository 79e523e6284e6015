internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore
internal import Synchronization

/// Whether a worker takes part; shared by its threads.
public final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    /// A worker that takes part.
    public init() {}

    /// Tells load balancers to look elsewhere, while requests are still served.
    public func beginDraining() {
        draining.store(true, ordering: .relaxed)
    }

    var isDraining: Bool { draining.load(ordering: .relaxed) }
}

extension IdentityToolkitHandler {
    /// The process answers.
    func health() -> Response {
        .json(JSONWriter.object { $0.member("status", "ok") })
    }

    /// The process can do its work: its keys are loaded, as a process without keys does not start, Redis answers, and
    /// the index key in force is in the key file. A worker is ready during a move between index keys: none does more.
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
