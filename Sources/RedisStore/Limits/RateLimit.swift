/// A sliding-window rate limit: the key that counts events, and how many of them any window may have.
///
/// Each kind of rate limit is a constructor below, with its key's format. Two bounds that are not sliding windows have
/// types of their own: ``WrongCodeLimits`` and ``WrongSecondFactorLimits``.
public struct RateLimit: Hashable, Sendable {
    /// The events that are counted; the raw value is their name in logs and on the command line.
    public enum Event: String, Sendable {
        case messages = "sends"
        /// Attempts to get an account or to claim an e-mail address; for a project, accounts that clients created.
        case signUps = "sign-ups"
        case newAccounts = "new accounts"
        case customTokenSignUps = "custom-token sign-ups"
        case passwordHashes = "password hashes"
        case wrongPasswords = "wrong passwords"
        case wrongTestCodes = "wrong test codes"
        /// Tokens that a provider (CAPTCHA or Play Integrity) verifies.
        case providerChecks = "provider checks"
        case pushes
        case unprovenPushes = "pushes to unproven devices"
    }

    /// The subject whose events are counted together.
    public enum Scope: Hashable, Sendable {
        case number
        case emailAddress
        case emailAddressByNetwork(NetworkWidth)
        case network(NetworkWidth)
        /// The device that proved the app with any of its push receipts.
        case appCredential
        case device
        case user
        case project
        case deployment

        /// The name in logs, in explanations and on the command line.
        public var name: String {
            switch self {
            case .number: "number"
            case .emailAddress: "e-mail address"
            case .emailAddressByNetwork(let width): "e-mail address from this \(width.name)"
            case .network(let width): width.name
            case .appCredential: "app credential"
            case .device: "device"
            case .user: "user"
            case .project: "project"
            case .deployment: "deployment"
            }
        }

        /// Whether unrelated users share the limit, so that the operator must know when it is exceeded.
        public var isShared: Bool { self == .project || self == .deployment }
    }

    /// The length of a sliding window, and how many events it may have.
    public struct Window: Hashable, Sendable {
        /// The length.
        public let milliseconds: Int64
        /// The maximum number of events.
        public let maximum: Int
        /// How much of the maximum is reserved for known clients: for a number's messages, clients that signed in with
        /// the number before or hold a session of its account, if there are any; for an e-mail address's wrong
        /// passwords, networks from which its user has signed in.
        public let reserved: Int

        /// Creates a window. `maximum` is at least 1, and greater than the reserved part.
        public init(milliseconds: Int64, maximum: Int, reserved: Int = 0) {
            precondition(milliseconds > 0 && reserved >= 0 && maximum > reserved, "\(maximum) in \(milliseconds) ms")
            self.milliseconds = milliseconds
            self.maximum = maximum
            self.reserved = reserved
        }

        /// Creates a window of an hour.
        public static func hour(_ maximum: Int, reserved: Int = 0) -> Window {
            Window(milliseconds: 3_600_000, maximum: maximum, reserved: reserved)
        }

        /// Creates a window of 24 hours.
        public static func day(_ maximum: Int, reserved: Int = 0) -> Window {
            Window(milliseconds: 86_400_000, maximum: maximum, reserved: reserved)
        }
    }

    /// The events.
    public let event: Event
    /// The subject whose events are counted together.
    public let scope: Scope
    /// The window and its maximum.
    public let window: Window
    let key: String
    /// The length of a bucket of time, or 0 if each event is stored.
    ///
    /// A user's or a network's events are few enough to store, so their windows are exact to the millisecond. A project
    /// may send 10⁶ messages a day: its window moves in 60 steps, and an event may count too long, by less than one
    /// step.
    let bucketMilliseconds: Int64

    /// The number of buckets in a window; one more counts while it slides.
    static let bucketsPerWindow: Int64 = 60
    /// The maximum of a limit that is never exceeded: its window only records events (spend-only).
    public static let unlimited = Int.max

    private init(_ event: Event, per scope: Scope, _ window: Window, key: String) {
        self.event = event
        self.scope = scope
        self.window = window
        self.key = key
        bucketMilliseconds = 0
    }

    /// Creates a limit that counts in buckets. Its key contains the length of its window, a multiple of 60 ms.
    private init(_ event: Event, perShared scope: Scope, _ window: Window, key: String) {
        precondition(window.milliseconds % Self.bucketsPerWindow == 0, "\(window.milliseconds) ms have no 60 buckets")
        self.event = event
        self.scope = scope
        self.window = window
        self.key = key
        bucketMilliseconds = window.milliseconds / Self.bucketsPerWindow
    }

    /// Returns a limit on the same events in another window, with the same key. Among limits that share a key, the
    /// longest window is last: it decides how long an event is stored.
    public func also(in window: Window) -> RateLimit {
        precondition(bucketMilliseconds == 0, "the key has one window")
        return RateLimit(event, per: scope, window, key: key)
    }

    /// The events and the scope in words, for logs and the command line.
    public var name: String {
        switch (event, scope) {
        case (.messages, _): "sends per \(scope.name)"
        case (.wrongPasswords, .network): "wrong passwords from this \(scope.name)"
        case (.wrongPasswords, _): "wrong passwords for the \(scope.name)"
        case (.wrongTestCodes, _): "wrong test codes of new clients"
        default: "\(event.rawValue) of the \(scope.name)"
        }
    }
}

// MARK: Messages

extension RateLimit {
    /// Messages to a number of a project, whatever their purpose: `dt:{pN}:rate:send:PROJECT:NUMBER`
    public static func messages(to phone: PhoneIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("p", phone.shard, "rate:send", phone.project, phone.hash)
        return RateLimit(.messages, per: .number, window, key: key)
    }

    /// Messages that one of the client's networks requests: `dt:{nN}:rate:send:PROJECT:NETWORK`
    public static func messages(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.messages, by: network, window, "rate:send")
    }

    /// Messages to clients that proved their app with a push receipt of a device: `dt:{rN}:rate:send:PROJECT:DEVICE`
    public static func messages(provenBy device: DeviceIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("r", device.shard, "rate:send", device.project, device.hash)
        return RateLimit(.messages, per: .appCredential, window, key: key)
    }

    /// Messages of a project: `dt:{limits}:rate:send:WINDOW:PROJECT`
    public static func messages(ofProject id: String, _ window: Window) -> RateLimit {
        let key = KeyNames.name("dt:{limits}:rate:send", String(window.milliseconds), id)
        return RateLimit(.messages, perShared: .project, window, key: key)
    }

    /// Messages of all projects: `dt:{limits}:rate:send:WINDOW`
    public static func messagesOfDeployment(_ window: Window) -> RateLimit {
        let key = KeyNames.name("dt:{limits}:rate:send", String(window.milliseconds))
        return RateLimit(.messages, perShared: .deployment, window, key: key)
    }
}

// MARK: Test numbers

extension RateLimit {
    /// Wrong codes of new clients for a test number, which `answer-session.lua` counts:
    /// `dt:{pN}:new-clients-wrong-test-codes:PROJECT:NUMBER`
    public static func wrongTestCodes(for phone: PhoneIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("p", phone.shard, "new-clients-wrong-test-codes", phone.project, phone.hash)
        return RateLimit(.wrongTestCodes, per: .number, window, key: key)
    }
}

// MARK: Accounts

extension RateLimit {
    /// A network's attempts to get an account or to claim an e-mail address: `dt:{nN}:rate:sign-up:PROJECT:NETWORK`
    public static func signUps(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.signUps, by: network, window, "rate:sign-up")
    }

    /// Accounts that a network's clients created: `dt:{nN}:rate:new-account:PROJECT:NETWORK`
    public static func newAccounts(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.newAccounts, by: network, window, "rate:new-account")
    }

    /// Accounts that a project's clients created without an operator: `dt:{limits}:rate:sign-up:WINDOW:PROJECT`
    public static func signUps(ofProject id: String, _ window: Window) -> RateLimit {
        let key = KeyNames.name("dt:{limits}:rate:sign-up", String(window.milliseconds), id)
        return RateLimit(.signUps, perShared: .project, window, key: key)
    }

    /// Accounts that a project's custom tokens created: `dt:{limits}:rate:custom-token-sign-up:WINDOW:PROJECT`
    public static func customTokenSignUps(ofProject id: String, _ window: Window) -> RateLimit {
        let key = KeyNames.name("dt:{limits}:rate:custom-token-sign-up", String(window.milliseconds), id)
        return RateLimit(.customTokenSignUps, perShared: .project, window, key: key)
    }

    /// Whether a custom token created an account of this user, one event at most: `dt:{uN}:rate:sign-up:PROJECT:UID`
    public static func customTokenSignUps(of user: AccountIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("u", user.shard, "rate:sign-up", user.project, user.uid)
        return RateLimit(.customTokenSignUps, per: .user, window, key: key)
    }
}

// MARK: Passwords

extension RateLimit {
    /// Password hashes computed for a network: `dt:{nN}:rate:password-hash:PROJECT:NETWORK`
    public static func passwordHashes(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.passwordHashes, by: network, window, "rate:password-hash")
    }

    /// Wrong passwords for an e-mail address from one network: `dt:{eN}:wrong-passwords:PROJECT:ADDRESS:NETWORK`
    static func wrongPasswords(
        for email: EmailIdentity,
        by network: ClientNetworks.Network,
        _ window: Window
    ) -> RateLimit {
        let parts = (email.project, email.hash, network.identity.hash)
        let key = KeyNames.name("e", email.shard, "wrong-passwords", parts.0, parts.1, parts.2)
        return RateLimit(.wrongPasswords, per: .emailAddressByNetwork(network.width), window, key: key)
    }

    /// Wrong passwords for an e-mail address: `dt:{eN}:wrong-passwords:PROJECT:ADDRESS`
    static func wrongPasswords(for email: EmailIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("e", email.shard, "wrong-passwords", email.project, email.hash)
        return RateLimit(.wrongPasswords, per: .emailAddress, window, key: key)
    }

    /// Wrong passwords for any address from one network: `dt:{nN}:wrong-passwords:PROJECT:NETWORK`
    static func wrongPasswords(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.wrongPasswords, by: network, window, "wrong-passwords")
    }
}

// MARK: App verification

extension RateLimit {
    /// A network's tokens that a provider verifies: `dt:{nN}:rate:provider-check:PROJECT:NETWORK`
    public static func providerChecks(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.providerChecks, by: network, window, "rate:provider-check")
    }

    /// Pushes to a device: `dt:{rN}:rate:push:PROJECT:DEVICE`
    public static func pushes(to device: DeviceIdentity, _ window: Window) -> RateLimit {
        let key = KeyNames.name("r", device.shard, "rate:push", device.project, device.hash)
        return RateLimit(.pushes, per: .device, window, key: key)
    }

    /// Pushes to a network's devices: `dt:{nN}:rate:push:PROJECT:NETWORK`
    public static func pushes(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.pushes, by: network, window, "rate:push")
    }

    /// Pushes from a network to an app's devices that APNs does not know, or may not know:
    /// `dt:{nN}:unproven-pushes:PROJECT:NETWORK:BUNDLE`
    static func unprovenPushes(by network: ClientNetworks.Network, bundleID: String, _ window: Window) -> RateLimit {
        let key = KeyNames.unprovenPushes(network.identity, bundleID: bundleID)
        return RateLimit(.unprovenPushes, per: .network(network.width), window, key: key)
    }

    private init(_ event: Event, by network: ClientNetworks.Network, _ window: Window, _ kind: String) {
        let identity = network.identity
        let key = KeyNames.name("n", identity.shard, kind, identity.project, identity.hash)
        self.init(event, per: .network(network.width), window, key: key)
    }
}
