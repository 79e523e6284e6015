internal import Redis

/// A sliding-window rate limit on work that a client requests, counted before the work is done.
public struct AdmissionLimit: Hashable, Sendable {
    /// The events that are counted, and for whom.
    public enum Counter: Hashable, Sendable {
        /// A network's attempts to get an account or to claim an e-mail address.
        case signUpsOfNetwork(ClientNetworks.Network)
        /// Accounts that a network's clients created.
        case newAccountsOfNetwork(ClientNetworks.Network)
        /// Accounts that a project's clients created without an operator.
        case signUpsOfProject(String)
        /// Accounts that a project's custom tokens created.
        case customTokenSignUpsOfProject(String)
        /// Whether a custom token created an account of this user: one event at most.
        case customTokenSignUpsOfUser(AccountIdentity)
        /// Password hashes computed for a network.
        case passwordHashesOfNetwork(ClientNetworks.Network)

        /// The scope of a counter.
        public enum Scope: Sendable {
            case network
            case project
        }

        /// The name in logs and on the command line.
        public var name: String {
            switch self {
            case .signUpsOfNetwork(let network): "sign-ups of the \(network.width.name)"
            case .newAccountsOfNetwork(let network): "new accounts of the \(network.width.name)"
            case .signUpsOfProject: "sign-ups of the project"
            case .customTokenSignUpsOfProject: "custom-token sign-ups of the project"
            case .customTokenSignUpsOfUser: "custom-token sign-ups of the user"
            case .passwordHashesOfNetwork(let network): "password hashes of the \(network.width.name)"
            }
        }

        /// The counter's scope.
        public var scope: Scope {
            switch self {
            case .signUpsOfNetwork, .newAccountsOfNetwork, .passwordHashesOfNetwork: .network
            case .signUpsOfProject, .customTokenSignUpsOfProject, .customTokenSignUpsOfUser: .project
            }
        }

        /// Whether events are counted in buckets of time, as ``SendCounter`` does for a project, and not stored one by
        /// one.
        var isBucketed: Bool {
            switch self {
            case .signUpsOfProject, .customTokenSignUpsOfProject: true
            case .signUpsOfNetwork, .newAccountsOfNetwork, .customTokenSignUpsOfUser, .passwordHashesOfNetwork: false
            }
        }
    }

    /// The counter.
    public let counter: Counter
    /// The length of the window; a multiple of 60 ms for a project.
    public let windowMilliseconds: Int64
    /// The maximum number of events in the window.
    public let maximum: Int

    /// The maximum of a window that only records events.
    public static let unlimited = Int.max

    /// Creates a limit; `maximum` is at least 1.
    public init(_ counter: Counter, windowMilliseconds: Int64, maximum: Int) {
        self.counter = counter
        self.windowMilliseconds = windowMilliseconds
        self.maximum = maximum
    }

    var bucketMilliseconds: Int64 { counter.isBucketed ? windowMilliseconds / SendCounter.bucketsPerWindow : 0 }
}

/// Whether requested work may be done.
public enum AdmissionOutcome: Hashable, Sendable {
    /// The work may be done and has been counted. The reservation can be given back if the work creates no account.
    case admitted(AccountReservation?)
    /// The work must not be done. Nothing has changed.
    case limited(AdmissionLimit, events: Int, retryAfterMilliseconds: Int64)
}

/// A request's place in the limits on account creation, counted before the account is created.
public struct AccountReservation: Hashable, Sendable {
    let limits: [AdmissionLimit]
    let requestID: String
}

/// The current count of an ``AdmissionLimit``.
public struct AdmissionUsage: Sendable {
    /// The limit.
    public let limit: AdmissionLimit
    /// The number of events in the limit's window.
    public let events: Int
    /// When the oldest event leaves the window, in milliseconds since the Unix epoch; nil if there is none.
    public let oldestLeaves: Int64?
}

extension Store {
    /// Counts a request in all limits if each has room for one more, in one atomic step.
    ///
    /// If the first limit of each list stores each event, a request that the front end retries is counted once in the
    /// attempts and once in the accounts. The accounts are then a reservation, which ``release(_:)`` gives back. Only
    /// the request's first call returns the reservation: on a retry it is not known what the first run created.
    ///
    /// - Parameters:
    ///   - attempts: limits on attempts, whatever their outcome, with different counters.
    ///   - accounts: limits on account creation, with different counters.
    ///   - requestID: the same if the front end retries the request.
    ///   - now: milliseconds since the Unix epoch.
    /// - Returns: whether the work may be done.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func admit(
        attempts: [AdmissionLimit],
        accounts: [AdmissionLimit],
        requestID: String,
        now: Int64
    ) throws(StoreUnavailable) -> AdmissionOutcome {
        let limits = attempts + accounts
        guard !limits.isEmpty else { return .admitted(nil) }
        var arguments: [Argument] = [.integer(now), .text(requestID), .integer(Int64(attempts.count))]
        for limit in limits {
            arguments += [
                .integer(limit.windowMilliseconds), .integer(Int64(limit.maximum)), .integer(limit.bucketMilliseconds),
            ]
        }
        let reply = try run(Scripts.admit, keys: limits.map(KeyNames.admissions), arguments)
        switch try reply.outcome() {
        case "admitted":
            let isReserved = try reply.integer(at: 1) == 1
            return .admitted(isReserved ? AccountReservation(limits: accounts, requestID: requestID) : nil)
        case "limited":
            let index = Int(try reply.integer(at: 1)) - 1
            guard limits.indices.contains(index) else { throw .unexpectedReply }
            return .limited(
                limits[index],
                events: Int(try reply.integer(at: 2)),
                retryAfterMilliseconds: try reply.integer(at: 3)
            )
        default: throw .unexpectedReply
        }
    }

    /// Gives a reservation back, because the request created no account.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func release(_ reservation: AccountReservation) throws(StoreUnavailable) {
        _ = try run(
            Scripts.releaseReservation,
            keys: reservation.limits.map(KeyNames.admissions),
            [.text(reservation.requestID)] + reservation.limits.map { .integer($0.bucketMilliseconds) }
        )
    }

    /// Returns how much of a limit is used at `now`, in milliseconds since the Unix epoch. Changes nothing.
    /// - Throws: ``StoreUnavailable``.
    public func usage(of limit: AdmissionLimit, now: Int64) throws(StoreUnavailable) -> AdmissionUsage {
        let window = try usage(
            ofKey: KeyNames.admissions(limit),
            windowMilliseconds: limit.windowMilliseconds,
            bucketMilliseconds: limit.bucketMilliseconds,
            now: now
        )
        return AdmissionUsage(limit: limit, events: window.events, oldestLeaves: window.oldestLeaves)
    }

    /// Resets the counters of limits.
    /// - Returns: whether there were any.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func forget(_ limits: [AdmissionLimit]) throws(StoreUnavailable) -> Bool {
        var hadAny = false
        for limit in limits where try send("DEL", KeyNames.admissions(limit)).integer() > 0 { hadAny = true }
        return hadAny
    }
}
