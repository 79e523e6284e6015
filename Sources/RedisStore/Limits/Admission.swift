internal import Redis

/// A sliding-window limit on work that a client asks for and that is counted before it is done.
public struct AdmissionLimit: Hashable, Sendable {
    /// What is counted, and for whom.
    public enum Counter: Hashable, Sendable {
        /// Attempts to get an account or to claim an e-mail address, by a network.
        case signUpsOfNetwork(ClientNetworks.Network)
        /// New accounts of a project.
        case signUpsOfProject(String)
        /// Passwords hashed for a network.
        case passwordHashesOfNetwork(ClientNetworks.Network)

        /// What a counter counts by.
        public enum Scope: Sendable {
            case network
            case project
        }

        /// The name in logs and on the command line.
        public var name: String {
            switch self {
            case .signUpsOfNetwork(let network): "sign-ups of the \(network.width.name)"
            case .signUpsOfProject: "sign-ups of the project"
            case .passwordHashesOfNetwork(let network): "password hashes of the \(network.width.name)"
            }
        }

        /// What it counts by.
        public var scope: Scope {
            switch self {
            case .signUpsOfNetwork, .passwordHashesOfNetwork: .network
            case .signUpsOfProject: .project
            }
        }

        /// Whether buckets of time are counted, as ``SendCounter`` does for a project, and not each event.
        var isBucketed: Bool { scope == .project }
    }

    /// What is counted.
    public let counter: Counter
    /// The length of the window; a multiple of 60 ms for a project.
    public let windowMilliseconds: Int64
    /// How many events there may be in it.
    public let maximum: Int

    /// A limit; `maximum` is at least 1.
    public init(_ counter: Counter, windowMilliseconds: Int64, maximum: Int) {
        self.counter = counter
        self.windowMilliseconds = windowMilliseconds
        self.maximum = maximum
    }

    var bucketMilliseconds: Int64 { counter.isBucketed ? windowMilliseconds / SendCounter.bucketsPerWindow : 0 }
}

/// Whether work that a client asks for may be done.
public enum AdmissionOutcome: Hashable, Sendable {
    /// It may, and has been counted.
    case admitted
    /// It may not. Nothing has changed.
    case limited(AdmissionLimit, events: Int, retryAfterMilliseconds: Int64)
}

/// What an ``AdmissionLimit`` has counted.
public struct AdmissionUsage: Sendable {
    /// Which limit.
    public let limit: AdmissionLimit
    /// How many events there are in its window.
    public let events: Int
    /// When the oldest of them leaves the window, in milliseconds since the Unix epoch; nil where there is none.
    public let oldestLeaves: Int64?
}

extension Store {
    /// Counts a request in all `limits` where each has room for one more, in one atomic step.
    ///
    /// - Parameters:
    ///   - limits: at least one, of different counters; the first remembers each event if any of them does.
    ///   - requestID: the same when a front end repeats the request.
    ///   - now: milliseconds since the Unix epoch.
    /// - Returns: whether the work may be done.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func admit(
        _ limits: [AdmissionLimit],
        requestID: String,
        now: Int64
    ) throws(StoreUnavailable) -> AdmissionOutcome {
        var arguments: [Argument] = [.integer(now), .text(requestID)]
        for limit in limits {
            arguments += [
                .integer(limit.windowMilliseconds), .integer(Int64(limit.maximum)), .integer(limit.bucketMilliseconds),
            ]
        }
        let reply = try runOnce(Scripts.admit, keys: limits.map(KeyNames.admissions), arguments)
        switch try reply.outcome() {
        case "admitted": return .admitted
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

    /// How much of a limit is used at `now`, in milliseconds since the Unix epoch. It changes nothing.
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

    /// Forgets what limits have counted.
    /// - Returns: whether there was anything.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forget(_ limits: [AdmissionLimit]) throws(StoreUnavailable) -> Bool {
        var hadAny = false
        for limit in limits where try send("DEL", KeyNames.admissions(limit)).integer() > 0 { hadAny = true }
        return hadAny
    }
}
