internal import Encodings
public import RedisStore

/// Work that a client has done for it, and that takes memory or processors before anything is known of the client.
enum ClientWork {
    /// An account is created, or an attempt at that shows whether an e-mail address has one.
    case signUp
    /// An account is created by a custom token: the project's own server vouches for it.
    case customTokenSignUp
    /// An account is created again by a custom token, soon after its deletion. The project's server need not have asked
    /// for that: a client that has the token can create and delete its account again and again.
    case customTokenSignUpAgain
    /// An account gets an e-mail address, which shows whether another account has it.
    case emailAddress
    /// A password is hashed.
    case passwordHash
}

/// The limits that a piece of work counts in.
struct AdmissionLimits {
    /// Those on attempts, which count whatever comes of them.
    var attempts: [AdmissionLimit] = []
    /// Those on accounts, which count only what was created.
    var accounts: [AdmissionLimit] = []

    /// All of them, in the order in which they are checked.
    var all: [AdmissionLimit] { attempts + accounts }
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
    /// Counts the work in the limits of the client's network and of the project. Operators are not limited.
    ///
    /// An attempt counts in the network's limits on attempts whatever comes of it, so that a response that shows whether
    /// an account exists cannot be asked for without end. The limits on accounts are shared by all clients of the
    /// project, so attempts that create nothing must not use them up: ``creatingAccount(_:in:_:)`` gives those back.
    /// - Returns: what the request reserved of the limits on accounts, if it is known what becomes of it.
    @discardableResult
    func admit(_ work: ClientWork..., in project: Project) throws(OperationFailure) -> AccountReservation? {
        try admit(work, in: project)
    }

    /// Does work that may create an account. Work that is known to have created none gives back what was reserved for it.
    func creatingAccount<Value>(
        by work: ClientWork...,
        in project: Project,
        _ create: () throws(SignUpRefusal) -> Value
    ) throws(SignUpRefusal) -> Value {
        let reservation: AccountReservation?
        do { reservation = try admit(work, in: project) } catch { throw .failed(error) }
        do {
            return try create()
        } catch {
            // If it fails, the limits count an account too many until their window has passed.
            if let reservation, !error.mayHaveCreatedAccount { try? store.release(reservation) }
            throw error
        }
    }

    /// Counts an account that a custom token creates. Exchanges of a user's tokens that race each other count as one, and
    /// so does an account that is created again within a day. Soon after its deletion it counts in the network's limit
    /// on attempts instead, if there is one.
    func admitCustomTokenSignUp(
        of user: AccountIdentity,
        wasDeleted: Bool,
        in project: Project
    ) throws(OperationFailure) {
        guard let client = requester.limitedClient else { return }
        if wasDeleted && policy.signUpsPerNetworkPerHour > 0 {
            try admit(.customTokenSignUpAgain, in: project)
            return
        }
        try checkRoomForAccount()
        var limits = admissionLimits(of: [.customTokenSignUp], from: client.address, in: project)
        guard let ofProject = limits.accounts.first else { return }
        let ofUser = AdmissionLimit(
            .customTokenSignUpsOfUser(user),
            windowMilliseconds: ofProject.windowMilliseconds,
            maximum: AdmissionLimit.unlimited
        )
        limits.accounts.insert(ofUser, at: 0)
        try admit(limits, requestID: user.uid)
    }

    private func admit(_ work: [ClientWork], in project: Project) throws(OperationFailure) -> AccountReservation? {
        guard let client = requester.limitedClient else { return nil }
        if work.contains(where: \.createsAccount) { try checkRoomForAccount() }
        let limits = admissionLimits(of: work, from: client.address, in: project)
        return try admit(limits, requestID: client.requestID)
    }

    @discardableResult
    private func admit(
        _ limits: AdmissionLimits,
        requestID: String
    ) throws(OperationFailure) -> AccountReservation? {
        let outcome: AdmissionOutcome
        do {
            outcome = try store.admit(
                attempts: limits.attempts,
                accounts: limits.accounts,
                requestID: requestID,
                now: environment.now().milliseconds
            )
        } catch {
            throw .unavailable(error)
        }
        switch outcome {
        case .admitted(let reservation): return reservation
        case .limited(let limit, let events, let retryAfterMilliseconds):
            throw .notAdmitted(
                AdmissionRefusal(limit, events: events, retryAfterMilliseconds: retryAfterMilliseconds)
            )
        }
    }

    /// Refuses a client an account where the store has no room for one.
    func checkRoomForAccount() throws(OperationFailure) {
        guard try hasRoomForAccount() else { throw .notAdmitted(.memoryNearlyFull) }
    }

    /// Whether the store has room for new accounts.
    ///
    /// At `maxmemory` Redis refuses the writes of all users, so new accounts are refused before that: what is left is for
    /// sign-ins, sessions and messages of users who have an account.
    func hasRoomForAccount() throws(OperationFailure) -> Bool {
        do {
            return try !caches.isMemoryNearlyFull.value { () throws(StoreUnavailable) in
                guard let use = try store.memoryUse() else { return false }
                return use.usedBytes * 100 >= use.maximumBytes * Policy.fullMemoryPercent
            }
        } catch {
            throw .unavailable(error)
        }
    }

    /// The limits of a network and of a project on all of this work; those that the operator has switched off are left
    /// out.
    func admissionLimits(
        of work: [ClientWork],
        from address: String,
        in project: Project
    ) -> AdmissionLimits {
        let networks = ClientNetworks(ofAddress: address, for: "admission", in: project, keys, among: store.shards).all
        let hour: Int64 = 3_600_000
        let day: Int64 = 86_400_000
        var limits = AdmissionLimits()
        if work.contains(where: \.countsAsAttempt), policy.signUpsPerNetworkPerHour > 0 {
            limits.attempts += networks.map {
                AdmissionLimit(
                    .signUpsOfNetwork($0),
                    windowMilliseconds: hour,
                    maximum: $0.width.maximum(policy.signUpsPerNetworkPerHour)
                )
            }
        }
        if work.contains(.passwordHash), policy.passwordHashesPerNetworkPerHour > 0 {
            limits.attempts += networks.map {
                AdmissionLimit(
                    .passwordHashesOfNetwork($0),
                    windowMilliseconds: hour,
                    maximum: $0.width.maximum(policy.passwordHashesPerNetworkPerHour)
                )
            }
        }
        if work.contains(.signUp) {
            limits.accounts += newAccountLimits(of: networks, windowMilliseconds: day)
            if policy.signUpsPerProjectPerDay > 0 {
                limits.accounts.append(
                    AdmissionLimit(
                        .signUpsOfProject(project.id),
                        windowMilliseconds: day,
                        maximum: policy.signUpsPerProjectPerDay
                    )
                )
            }
        }
        if work.contains(.customTokenSignUp), policy.customTokenSignUpsPerProjectPerDay > 0 {
            limits.accounts.append(
                AdmissionLimit(
                    .customTokenSignUpsOfProject(project.id),
                    windowMilliseconds: day,
                    maximum: policy.customTokenSignUpsPerProjectPerDay
                )
            )
        }
        return limits
    }

    /// What each network may have of the project's new accounts. A project that limits its own but not its networks'
    /// has a window of the narrowest one, too: it remembers which requests have a reservation.
    private func newAccountLimits(
        of networks: [ClientNetworks.Network],
        windowMilliseconds: Int64
    ) -> [AdmissionLimit] {
        guard policy.newAccountsPerNetworkPerDay > 0 else {
            guard policy.signUpsPerProjectPerDay > 0 else { return [] }
            return networks.prefix(1).map {
                AdmissionLimit(
                    .newAccountsOfNetwork($0),
                    windowMilliseconds: windowMilliseconds,
                    maximum: AdmissionLimit.unlimited
                )
            }
        }
        return networks.map {
            AdmissionLimit(
                .newAccountsOfNetwork($0),
                windowMilliseconds: windowMilliseconds,
                maximum: $0.width.maximumOfShare(policy.newAccountsPerNetworkPerDay)
            )
        }
    }
}

extension ClientWork {
    fileprivate var createsAccount: Bool {
        switch self {
        case .signUp, .customTokenSignUp, .customTokenSignUpAgain: true
        case .emailAddress, .passwordHash: false
        }
    }

    fileprivate var countsAsAttempt: Bool {
        switch self {
        case .signUp, .emailAddress, .customTokenSignUpAgain: true
        case .customTokenSignUp, .passwordHash: false
        }
    }
}

extension SignUpRefusal {
    /// Whether an account may be there although the client does not get it.
    fileprivate var mayHaveCreatedAccount: Bool {
        switch self {
        case .anonymousSignInDisabled, .credential, .displayNameTooLong, .appNotProven: false
        case .accountDisabled: true
        case .failed(let failure):
            switch failure {
            case .passwordNotHashed, .notAdmitted, .blocked: false
            case .unavailable, .interrupted, .contended, .cryptographyFailed: true
            }
        }
    }
}
