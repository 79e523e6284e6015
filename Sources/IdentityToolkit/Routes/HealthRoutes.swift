internal import Encodings
internal import FastCGI
internal import Glibc
internal import PhoneAuth
internal import Synchronization

extension IdentityToolkitHandler {
    /// Reports that the process is alive.
    static func health(_: Self, _: borrowing Request, _: RequestRecord) -> Response {
        .json(JSONWriter.object { $0.member("status", "ok") })
    }

    /// Reports whether the process can serve requests: it is not draining, Redis responds and is the deployment's, and
    /// the index key in force is in the key file. Other keys need no check, because a process without keys does not
    /// start. On the admin listener, `?verbose` shows each check.
    static func checkReadiness(
        _ api: Self,
        _ request: borrowing Request,
        _: RequestRecord
    ) throws(WireError) -> Response {
        if request.query == "verbose", AdminInterface.isMarked(request) { return api.explainReadiness() }
        guard !api.readiness.isDraining else { throw .unavailable(logDetail: "draining") }
        try StoreUnavailable.onWire(api.authenticator.checkStore())
        try StoreUnavailable.onWire(api.authenticator.checkDeployment())
        return .json(JSONWriter.object { $0.member("status", "ready") })
    }

    /// Reports every check of ``checkReadiness(_:_:_:)`` with the reason of a failure, and whether metrics are shared,
    /// which does not affect readiness. The reasons contain no secrets.
    private func explainReadiness() -> Response {
        let (redis, deployment) = checkRedis()
        let checks: [(name: String, result: CheckResult)] = [
            ("serving", readiness.isDraining ? .failed("the worker is draining") : .ok),
            ("redis", redis), ("deployment", deployment),
        ]
        let isReady = checks.allSatisfy { $0.result == .ok }
        let hasMetrics = metricsFolder != nil
        let metrics = hasMetrics ? CheckResult.ok : .failed("DIALTONE_METRICS_FOLDER is not set, or see the log")
        var response = Response.json(
            JSONWriter.object { json in
                json.member("status", isReady ? "ready" : "not ready")
                json.member("processId", Int64(getpid()))
                json.array("checks") { json in
                    for (name, result) in checks + [("metrics", metrics)] {
                        json.object { json in
                            json.member("name", name)
                            json.member("status", result.status)
                            if case .failed(let reason) = result { json.member("reason", reason) }
                        }
                    }
                }
            }
        )
        response.status = isReady ? 200 : 503
        return response
    }

    /// Checks that Redis responds, and that it is the deployment's. A new connection compares the marks before it
    /// executes any command, so a Redis of another deployment responds to no other check.
    private func checkRedis() -> (redis: CheckResult, deployment: CheckResult) {
        do throws(StoreUnavailable) {
            guard let mismatch = try authenticator.deploymentMismatch() else { return (.ok, .ok) }
            return (.ok, .failed("Redis \(mismatch)"))
        } catch {
            // In a cluster, the other nodes may respond.
            let redis = check { () throws(WireError) in try StoreUnavailable.onWire(authenticator.checkStore()) }
            return (redis, redis == .ok ? .failed("\(error)") : .notChecked)
        }
    }

    private func check(_ check: () throws(WireError) -> Void) -> CheckResult {
        do throws(WireError) {
            try check()
            return .ok
        } catch {
            return .failed(error.logDetail ?? error.loggedMessage)
        }
    }

    private enum CheckResult: Equatable {
        case ok
        case failed(_ reason: String)
        case notChecked

        var status: String {
            switch self {
            case .ok: "ok"
            case .failed: "failed"
            case .notChecked: "not checked"
            }
        }
    }
}

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
