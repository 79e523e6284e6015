internal import RedisScripts

/// A rate limit: the key that counts events, and how many of them a window may have.
///
/// Each kind of rate limit is a constructor below. Limits on what belongs to one user, such as the messages to a
/// number, store each event and are exact. Limits that many users share store one value, see ``CellRate``. Two bounds
/// that are neither have types of their own: ``WrongCodeLimits`` and ``WrongSecondFactorLimits``.
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
        /// Tokens that another server (a CAPTCHA provider, Play Integrity or Firebase) verifies.
        case providerChecks = "provider checks"
        case pushes
        case mails = "e-mails"
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
        case project

        /// The name in logs, in explanations and on the command line.
        public var name: String {
            switch self {
            case .number: "number"
            case .emailAddress: "e-mail address"
            case .emailAddressByNetwork(let width): "e-mail address from this \(width.name)"
            case .network(let width): width.name
            case .appCredential: "app credential"
            case .device: "device"
            case .project: "project"
            }
        }

        /// Whether unrelated users share the limit, so that the operator must know when it is exceeded.
        var isShared: Bool { self == .project }
    }

    /// The length of a window, and how many events it may have.
    public struct Window: Hashable, Sendable {
        /// The length.
        public let milliseconds: Int64
        /// The maximum number of events.
        public let maximum: Int
        /// How much of the maximum is reserved: of messages, for clients that signed in with the number before and for
        /// requests with its account's ID token; of wrong passwords, for networks from which the address's user has
        /// signed in. If a number has no known clients, none of its messages are.
        public let reserved: Int

        /// Creates a window. `maximum` is at least 1, and greater than the reserved part.
        public init(milliseconds: Int64, maximum: Int, reserved: Int = 0) {
            precondition(milliseconds > 0 && reserved >= 0 && maximum > reserved, "\(maximum) in \(milliseconds) ms")
            self.milliseconds = milliseconds
            self.maximum = maximum
            self.reserved = reserved
        }

        /// The same window, of which three tenths are reserved: 2 of 5, 3 of 10.
        var withReserve: Window {
            Window(milliseconds: milliseconds, maximum: maximum, reserved: min(maximum - 1, (3 * maximum + 5) / 10))
        }

        /// Creates a window of a minute.
        static func minute(_ maximum: Int) -> Window { Window(milliseconds: 60_000, maximum: maximum) }

        /// Creates a window of an hour.
        static func hour(_ maximum: Int, reserved: Int = 0) -> Window {
            Window(milliseconds: 3_600_000, maximum: maximum, reserved: reserved)
        }

        /// Creates a window of 24 hours.
        static func day(_ maximum: Int, reserved: Int = 0) -> Window {
            Window(milliseconds: 86_400_000, maximum: maximum, reserved: reserved)
        }
    }

    /// The events.
    public let event: Event
    /// The subject whose events are counted together.
    public let scope: Scope
    /// The window and its maximum.
    public let window: Window
    /// Whether each event is stored (a log), which is exact; otherwise only a time (a rate, see ``CellRate``).
    let isLog: Bool
    private let subject: String
    private let project: String
    private let kind: String

    /// The key of a rate contains the length of its window. All windows of a log share a key.
    var key: String {
        isLog
            ? KeyNames.ofProject(project, kind, subject)
            : KeyNames.ofProject(project, kind, subject, String(window.milliseconds))
    }

    private init(
        _ event: Event,
        per scope: Scope,
        _ window: Window,
        _ kind: String,
        of project: String,
        _ subject: String = "",
        isLog: Bool = false
    ) {
        self.event = event
        self.scope = scope
        self.window = window
        self.isLog = isLog
        self.subject = subject
        self.project = project
        self.kind = kind
    }

    /// Returns a limit on the same events in another window. Among logs that share a key, the longest window is last:
    /// it decides how long an event is stored.
    func also(in window: Window) -> RateLimit {
        RateLimit(event, per: scope, window, kind, of: project, subject, isLog: isLog)
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
    /// Messages to a number of a project, whatever their purpose: a log.
    static func messages(to phone: PhoneIdentity, _ window: Window) -> RateLimit {
        RateLimit(.messages, per: .number, window, "sends", of: phone.project, phone.hash, isLog: true)
    }

    /// Messages that one of the client's networks requests.
    static func messages(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.messages, by: network, window, "rate:send")
    }

    /// Messages to clients that proved their app with a push receipt of a device.
    static func messages(provenBy device: DeviceIdentity, _ window: Window) -> RateLimit {
        RateLimit(.messages, per: .appCredential, window, "rate:send:device", of: device.project, device.hash)
    }

    /// Messages of a project.
    static func messages(ofProject id: String, _ window: Window) -> RateLimit {
        RateLimit(.messages, per: .project, window, "rate:send:all", of: id)
    }
}

// MARK: E-mails

extension RateLimit {
    /// E-mails to an address: a log.
    static func mails(to email: EmailIdentity, _ window: Window) -> RateLimit {
        RateLimit(.mails, per: .emailAddress, window, "mails", of: email.project, email.hash, isLog: true)
    }

    /// E-mails that one of the client's networks requests.
    static func mails(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.mails, by: network, window, "rate:mail")
    }

    /// E-mails of a project.
    static func mails(ofProject id: String, _ window: Window) -> RateLimit {
        RateLimit(.mails, per: .project, window, "rate:mail:all", of: id)
    }
}

// MARK: Test numbers

extension RateLimit {
    /// Wrong codes of new clients for a test number, which `answer-verification.lua` counts: a log.
    static func wrongTestCodes(for phone: PhoneIdentity, _ window: Window) -> RateLimit {
        RateLimit(
            .wrongTestCodes,
            per: .number,
            window,
            "new-clients-wrong-test-codes",
            of: phone.project,
            phone.hash,
            isLog: true
        )
    }
}

// MARK: Accounts

extension RateLimit {
    /// A network's attempts to get an account or to claim an e-mail address.
    static func signUps(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.signUps, by: network, window, "rate:sign-up")
    }

    /// Accounts that a network's clients created.
    static func newAccounts(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.newAccounts, by: network, window, "rate:new-account")
    }

    /// Accounts that a project's clients created without an operator.
    static func signUps(ofProject id: String, _ window: Window) -> RateLimit {
        RateLimit(.signUps, per: .project, window, "rate:sign-up:all", of: id)
    }

    /// Accounts that a project's custom tokens created.
    static func customTokenSignUps(ofProject id: String, _ window: Window) -> RateLimit {
        RateLimit(.customTokenSignUps, per: .project, window, "rate:custom-token-sign-up:all", of: id)
    }
}

// MARK: Passwords

extension RateLimit {
    /// Password hashes computed for a network.
    static func passwordHashes(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.passwordHashes, by: network, window, "rate:password-hash")
    }

    /// Wrong passwords for an e-mail address from one network: a log.
    static func wrongPasswords(
        for email: EmailIdentity,
        by network: ClientNetworks.Network,
        _ window: Window
    ) -> RateLimit {
        RateLimit(
            .wrongPasswords,
            per: .emailAddressByNetwork(network.width),
            window,
            "wrong-passwords:by-network",
            of: email.project,
            "\(email.hash):\(network.identity.hash)",
            isLog: true
        )
    }

    /// Wrong passwords for an e-mail address: a log.
    static func wrongPasswords(for email: EmailIdentity, _ window: Window) -> RateLimit {
        RateLimit(
            .wrongPasswords,
            per: .emailAddress,
            window,
            "wrong-passwords",
            of: email.project,
            email.hash,
            isLog: true
        )
    }

    /// Wrong passwords for any address from one network.
    static func wrongPasswords(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.wrongPasswords, by: network, window, "rate:wrong-password")
    }
}

// MARK: App verification

extension RateLimit {
    /// A network's tokens that a provider verifies.
    static func providerChecks(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.providerChecks, by: network, window, "rate:provider-check")
    }

    /// A project's Firebase refresh tokens that are exchanged.
    static func firebaseExchanges(ofProject id: String, _ window: Window) -> RateLimit {
        RateLimit(.providerChecks, per: .project, window, "rate:firebase-exchange:all", of: id)
    }

    /// Pushes to a device.
    static func pushes(to device: DeviceIdentity, _ window: Window) -> RateLimit {
        RateLimit(.pushes, per: .device, window, "rate:push:device", of: device.project, device.hash)
    }

    /// Pushes to a network's devices.
    static func pushes(by network: ClientNetworks.Network, _ window: Window) -> RateLimit {
        RateLimit(.pushes, by: network, window, "rate:push")
    }

    private init(_ event: Event, by network: ClientNetworks.Network, _ window: Window, _ kind: String) {
        self.init(
            event,
            per: .network(network.width),
            window,
            kind,
            of: network.identity.project,
            network.identity.hash
        )
    }
}
