internal import Encodings
public import RedisStore

/// Work that a client has done for it, and that takes memory or processors before anything is known of the client.
enum ClientWork {
    /// An account is created, or an attempt at that shows whether an e-mail address has one.
    case signUp
    /// An account gets an e-mail address, which shows whether another account has it.
    case emailAddress
    /// A password is hashed.
    case passwordHash
}

/// Why work was refused before anything of it was done.
public enum AdmissionRefusal: Error, Hashable, CustomStringConvertible {
    /// A limit has no room for it. The description says which, with its value and window.
    case limited(AdmissionLimit.Counter.Scope, description: String, retryAfter: Duration)
    /// Redis has little memory left, which is for users who have an account.
    case memoryNearlyFull

    init(_ limit: AdmissionLimit, events: Int, retryAfterMilliseconds: Int64) {
        self = .limited(
            limit.counter.scope,
            description: "\(events) of \(limit.maximum) \(limit.counter.name) in \(limit.windowMilliseconds / 1000) s",
            retryAfter: .milliseconds(retryAfterMilliseconds)
        )
    }

    /// One line for the operator.
    public var description: String {
        switch self {
        case .limited(_, let description, _): description
        case .memoryNearlyFull:
            "Redis has used \(Policy.fullMemoryPercent) % of its maxmemory: no new accounts until it has more"
        }
    }
}

/// What every operation passes that has such work done for a client, before it does any of it.
extension Authenticator {
    /// Counts the work in the limits of the client's network and of the project. An attempt counts whatever comes of
    /// it, so that a response that shows whether an account exists cannot be asked for without end. Operators are not
    /// limited.
    func admit(_ work: ClientWork..., in project: Project) throws(OperationFailure) {
        guard let client = requester.limitedClient else { return }
        if work.contains(.signUp) { try checkRoomForAccount() }
        let limits = admissionLimits(of: work, from: client.address, in: project)
        guard !limits.isEmpty else { return }
        let outcome: AdmissionOutcome
        do {
            outcome = try store.admit(limits, requestID: client.requestID, now: environment.now().milliseconds)
        } catch {
            throw .unavailable(error)
        }
        guard case .limited(let limit, let events, let retryAfterMilliseconds) = outcome else { return }
        throw .notAdmitted(
            AdmissionRefusal(limit, events: events, retryAfterMilliseconds: retryAfterMilliseconds)
        )
    }

    /// Refuses a client an account where the store has no room for one.
    func checkRoomForAccount() throws(OperationFailure) {
        guard try hasRoomForAccount() else { throw .notAdmitted(.memoryNearlyFull) }
    }

    /// Whether clients may get new accounts, as far as the store's memory goes.
    func hasRoomForAccount() throws(OperationFailure) -> Bool {
        do { return try !projectSettings.memory.isNearlyFull(store) } catch { throw .unavailable(error) }
    }

    /// The limits of a network and of a project on all of this work; those that the operator has switched off are left
    /// out.
    func admissionLimits(
        of work: [ClientWork],
        from address: String,
        in project: Project
    ) -> [AdmissionLimit] {
        let networks = ClientNetworks(ofAddress: address, for: "admission", in: project, keys, among: store.shards).all
        let hour: Int64 = 3_600_000
        let day: Int64 = 86_400_000
        var limits: [(counter: AdmissionLimit.Counter, window: Int64, maximum: Int)] = []
        if work.contains(where: { $0 == .signUp || $0 == .emailAddress }) {
            limits += networks.map {
                (.signUpsOfNetwork($0), hour, $0.width.maximum(policy.signUpsPerNetworkPerHour))
            }
        }
        if work.contains(.passwordHash) {
            limits += networks.map {
                (.passwordHashesOfNetwork($0), hour, $0.width.maximum(policy.passwordHashesPerNetworkPerHour))
            }
        }
        if work.contains(.signUp) {
            limits.append((.signUpsOfProject(project.id), day, policy.signUpsPerProjectPerDay))
        }
        return limits.filter { $0.maximum > 0 }.map {
            AdmissionLimit($0.counter, windowMilliseconds: $0.window, maximum: $0.maximum)
        }
    }
}
