internal import Passwords
public import RedisStore

/// How long things live and how often they may happen; the operator's choice.
public struct Policy: Hashable, Sendable {
    /// What development mode allows; nil in production, so that none of it can be set there.
    public var development: DevelopmentPolicy?
    /// How long a code is good. NIST SP 800-63B allows 10 minutes at most.
    public var sessionLifetime: Duration = .seconds(600)
    /// How long repeated sends return the same session without another message.
    public var lockLifetime: Duration = .seconds(60)
    /// How much life a session must have left to be sent again: below that, its code would end while it is being typed, and
    /// a new session begins.
    public var leastLifeToResend: Duration { min(lockLifetime, sessionLifetime / 10) }
    /// How long an ended session still explains itself.
    public var tombstoneLifetime: Duration = .seconds(600)
    /// How long an unused refresh token is kept; each use starts it anew.
    public var refreshTokenIdleLifetime: Duration = .seconds(400 * 86_400)
    /// Whether a refresh token is good once, and is exchanged for its next generation. Off by default, because apps that keep
    /// the first one for ever would be signed out.
    public var rotatesRefreshTokens = false
    /// How long the generation of a refresh token before the current one is still good: a client may not have got the answer.
    public var refreshTokenGrace: Duration = .seconds(60)
    /// How long a sign-in counts as recent. ``IDTokenOperation`` lists the operations that demand one.
    public var recentSignIn: Duration = .seconds(300)
    /// How many answers to a session are judged.
    public var attemptsPerSession = 5
    /// How many messages a number gets in any hour.
    public var sendsPerNumberPerHour = 5
    /// How many messages a number gets in any 24 hours.
    public var sendsPerNumberPerDay = 10
    /// How many messages the clients of one network ask for in any hour: an IPv4 address, or an IPv6 /64.
    /// Of every limit by network an IPv6 /56 and /48 have a multiple (``NetworkWidth``).
    public var sendsPerNetworkPerHour = 150
    /// How many tokens of a network a challenge's provider is asked about in ``challengeWindow``: a third of the
    /// messages that it may ask for in an hour, for tokens that prove nothing count, too.
    public var providerChecksPerNetwork: Int { max(10, sendsPerNetworkPerHour / 3) }
    /// How many messages one app credential, a device's push receipts, asks for in any hour. A challenge token asks for
    /// one.
    public var sendsPerAppCredentialPerHour = 10
    /// How many messages one app credential asks for in any 24 hours.
    public var sendsPerAppCredentialPerDay = 30
    /// How many messages a project sends in any 24 hours; 0 for no limit.
    public var sendsPerProjectPerDay = 10_000
    /// How many messages all projects send in any hour; 0 for no limit.
    public var sendsPerHour = 5000
    /// How many messages all projects send in any 24 hours; 0 for no limit.
    public var sendsPerDay = 20_000
    /// How many wrong codes for a number are judged before a right one. NIST SP 800-63B allows 100 at most.
    public var wrongCodesPerNumber = 100
    /// After how many wrong codes for a number a client must wait before its next answer: a second, then each time twice as
    /// long.
    public var wrongCodesBeforeWait = 10
    /// The longest time that a client must wait for its next answer.
    public var longestWrongCodeWait: Duration = .seconds(3600)
    /// How many wrong passwords for an e-mail address by one network are judged in any hour.
    public var wrongPasswordsPerEmailAndNetworkPerHour = 10
    /// How many wrong passwords for an e-mail address are judged in any 24 hours. NIST SP 800-63B allows 100 in a row.
    public var wrongPasswordsPerEmailPerDay = 100
    /// How many wrong passwords by one network, for any address, are judged in any hour.
    public var wrongPasswordsPerNetworkPerHour = 100
    /// How many attempts to get an account, or to claim an e-mail address, the clients of one network have in any hour,
    /// whatever comes of them; 0 for no limit.
    public var signUpsPerNetworkPerHour = 100
    /// How many accounts the clients of one network create in any 24 hours, those that sign in by phone or with a custom
    /// token aside; 0 for no limit but the project's. An IPv6 /56 and /48 have 2 and 4 times as many
    /// (``NetworkWidth/maximumOfShare(_:)``).
    public var newAccountsPerNetworkPerDay = 250
    /// How many accounts the clients of a project create in any 24 hours, those that sign in by phone or with a custom
    /// token aside; 0 for no limit.
    public var signUpsPerProjectPerDay = 10_000
    /// How many accounts the custom tokens of a project create in any 24 hours; 0 for no limit.
    public var customTokenSignUpsPerProjectPerDay = 10_000
    /// How many passwords are hashed for the clients of one network in any hour; 0 for no limit.
    public var passwordHashesPerNetworkPerHour = 600
    /// How long a client waits for its silent push before it takes the challenge page.
    public var pushTimeout: Duration = .seconds(5)
    /// How long a push receipt is good after it was last used.
    public var pushReceiptLifetime: Duration = .seconds(30 * 86_400)
    /// How many silent pushes a device gets in any hour; APNs holds back more than a few.
    public var pushesPerDevicePerHour = 3
    /// How many silent pushes the devices of one network get in any hour.
    public var pushesPerNetworkPerHour = 150
    /// How many of these may go at a time to devices that APNs has not taken a push for; a token that APNs calls bad
    /// counts for an hour.
    public var unprovenPushesPerNetwork: Int { max(10, pushesPerNetworkPerHour / 10) }
    /// When sends to new clients are stepped up.
    public var tollFraud = TollFraudPolicy()
    /// How long verifiers may keep the public keys: the `max-age` of their endpoints (RFC 9111 § 5.2.2.1).
    public var publicKeyCacheLifetime: Duration = .seconds(3600)
    /// How long a new signing key is published before it signs: as long as a verifier may be without it, and a tenth more, two
    /// seconds at least, because workers read the key file a second later, clocks differ and some machine gets the file last.
    public var signingKeyLead: Duration { publicKeyCacheLifetime + max(publicKeyCacheLifetime / 10, .seconds(2)) }
    /// How long the audit log is kept; zero where there is none.
    public var auditRetention: Duration = .seconds(90 * 86_400)
    /// About how many events the audit log keeps at most; the oldest go first.
    public var auditEvents = 1_000_000
    /// What the `iss` claim has before the project's id.
    public var issuerPrefix = "https://securetoken.google.com/"

    /// The documented defaults.
    public init() {}

    /// The life of an ID token: the protocol's one hour.
    public static let idTokenLifetime: Duration = .seconds(3600)

    /// How far the clocks of operators' servers may be ahead: a revocation must not fail because one is.
    public static let operatorClockSkew: Duration = .seconds(300)

    /// How far the clocks of those who verify tokens may be behind.
    public static let verifierClockSkew: Duration = .seconds(300)

    /// The shortest and the longest life of a session cookie, the protocol's.
    public static let sessionCookieLifetimes: ClosedRange<Duration> = .seconds(300) ... .seconds(14 * 86_400)

    /// How long a signing key stays published after the next one began to sign: as long as the last token or session cookie
    /// that it signed is good.
    public static let signingKeyMemory = sessionCookieLifetimes.upperBound + verifierClockSkew

    /// How long an access token is good that a service account was granted.
    public static let adminAccessLifetime: Duration = .seconds(3600)

    /// For how many days an admin token may be made.
    public static let adminTokenDays = 1...3650

    /// The longest uid, in characters.
    public static let maximumUIDCharacters = 128

    /// How many sessions an account may have; the one that was unused the longest makes room for a new one.
    public static let maximumSessions = 100

    /// How long a deleted account is remembered, so that a sign-in that is under way does not bring it back.
    public static let deletionMarkLifetime: Duration = .seconds(3600)

    /// How long a worker may be on its way with a claim: far longer than requests take, and far shorter than a deleted account
    /// is remembered, so that clocks may differ.
    public static let claimFreshness: Duration = .seconds(1800)

    /// How long blocking hooks may take over one sign-in or enrolment, all together: Firebase's 7 seconds.
    public static let blockingHookDeadline: Duration = .seconds(7)

    /// How often a sign-in or a link looks again at a number whose account is just being changed.
    public static let claimAttempts = 8

    /// How long a temporary proof is good.
    public static let temporaryProofLifetime: Duration = .seconds(3600)

    /// How long a proven first factor waits for the second one: longer than a message and its code take.
    public static let pendingCredentialLifetime: Duration = .seconds(900)

    /// How long the enrolment of an authenticator app may take.
    public static let totpEnrollmentLifetime: Duration = .seconds(600)

    /// The longest time from the start of a second factor's enrolment to its end.
    var longestEnrollment: Duration { max(sessionLifetime, Self.totpEnrollmentLifetime) }

    /// How long users may undo that a second factor was added: they may have to find the operator's message first.
    public static let secondFactorRevertLifetime: Duration = .seconds(7 * 86_400)

    /// How many second factors an account may have, the protocol's.
    public static let maximumSecondFactors = 5

    /// How long a user's name may be, in characters.
    public static let maximumDisplayNameCharacters = 256

    /// The shortest password that is taken, in characters: the protocol's, and Firebase's.
    public static let minimumPasswordCharacters = 6

    /// The longest password that is taken, in bytes: the longest that is hashed.
    public static let maximumPasswordBytes = Password.maximumBytes

    /// How long the address of a user's picture may be, in bytes.
    public static let maximumPhotoURLBytes = 2048

    /// How many test numbers a project may have.
    public static let maximumTestNumbers = 10

    /// In what time half of a number's wrong codes are forgotten. An attacker who wants to keep a number's newcomers
    /// out needs 62 wrong codes a day, for which more messages are needed than a number gets.
    public static let wrongCodeHalfLife: Duration = .seconds(86_400)

    /// In what time half of a test number's wrong codes are forgotten.
    public static let wrongTestCodeHalfLife: Duration = .seconds(900)

    /// How long after the last one an account's wrong TOTP and recovery codes are forgotten, all at once. Until then no
    /// more than a hundred are verified in all (NIST SP 800-63B): by halves somebody who knows the password could guess
    /// on for ever.
    public static let wrongSecondFactorMemory: Duration = .seconds(30 * 86_400)

    /// How many of a number's messages are kept for clients that signed in with it before, of `maximum` in a window:
    /// three tenths, so 2 of 5 and 3 of 10. Otherwise anyone who asks for all messages locks the owner out.
    static func sendsReservedForKnownClients(of maximum: Int) -> Int { min(maximum - 1, (3 * maximum + 5) / 10) }

    /// How many of an e-mail address's wrong passwords, of `maximum`, are kept for networks from which its user signed
    /// in before: as many as of messages. Those of an unknown address are kept, too: otherwise the limit would tell
    /// which addresses are known.
    static func wrongPasswordsReservedForKnownClients(of maximum: Int) -> Int {
        sendsReservedForKnownClients(of: maximum)
    }

    /// What ``newAccountsPerNetworkPerDay`` is if it is not set: a fortieth of what the project has, so that an IPv6 /48
    /// uses up no more than a tenth of that, but at least ten, because people share networks.
    public static func newAccountsPerNetworkPerDay(ofProject signUps: Int) -> Int {
        signUps == 0 ? 0 : max(10, signUps / 40)
    }

    /// How many wrong passwords are verified.
    public var wrongPasswordLimits: WrongPasswordLimits {
        WrongPasswordLimits(
            perEmailAndNetworkPerHour: wrongPasswordsPerEmailAndNetworkPerHour,
            perEmailPerDay: wrongPasswordsPerEmailPerDay,
            reservedForKnownNetworks: Self.wrongPasswordsReservedForKnownClients(of: wrongPasswordsPerEmailPerDay),
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }

    /// What part of a number's wrong codes is kept for clients that signed in with it before, a tenth: so an attacker
    /// who uses the others up does not lock its owner out.
    public static let knownClientsShareOfWrongCodes = 10

    /// How many clients that signed in with a number are remembered, the latest.
    public static let maximumKnownClients = 10

    /// How many sign-ins with a password an hour has that come before those of strangers, from one network for one
    /// e-mail address.
    public static let knownPasswordSignInsPerHour = 5

    /// How long a client that signed in with a number, or with an e-mail address and a password, is remembered.
    public static let knownClientMemory: Duration = .seconds(180 * 86_400)

    /// How long a push receipt that was delivered waits for its first use.
    public static let unusedReceiptLifetime: Duration = .seconds(3600)

    /// How long after the push was given up, a device and a receipt are remembered that APNs has not confirmed.
    public static let unprovenPushMemory: Duration = .seconds(60)

    /// How long it is remembered of a device in which of APNs' environments it is, after a push was delivered.
    public static let deviceMemory: Duration = .seconds(30 * 86_400)

    /// How long a device that the app is gone from gets no push. An app that is installed again has a new token.
    public static let unreachableDeviceMemory: Duration = .seconds(86_400)

    /// How long a device token that APNs does not know gets no push, and counts against the networks of the client that
    /// named it.
    public static let badDeviceTokenMemory: Duration = .seconds(3600)

    /// In how many networks APNs must refuse devices as if an app's settings were wrong before its pushes are paused: a
    /// device's own token may cause such an answer, too.
    public static let networksThatDoubtPushes = 5

    /// Within which time.
    public static let doubtfulPushMemory: Duration = .seconds(600)

    /// How long an app whose push APNs refused takes the challenge page at once, before a push is tried again.
    public static let refusedPushMemory: Duration = .seconds(60)

    /// Over how long a network's challenges are counted, which decides how much work the next one is, and its provider
    /// checks, which are limited.
    public static let challengeWindow: Duration = .seconds(600)

    /// How far the clocks of two workers may be apart: each may differ from Redis's by 30 seconds. A solved challenge
    /// is remembered for longer by this, so that a worker whose clock is behind does not take it again.
    public static let workerClockSkew: Duration = .seconds(60)

    /// How long a solved challenge's token is good.
    public static let challengeTokenLifetime: Duration = .seconds(300)

    /// How long a used challenge token still knows the request that used it, should the front end repeat that.
    public static let usedChallengeTokenMemory: Duration = .seconds(60)

    /// From which part of its `maxmemory` on Redis takes no new accounts, in percent. The rest is for users who have
    /// one.
    public static let fullMemoryPercent: Int64 = 90

    /// After what time a client should try again that was refused during a move between index keys.
    public static let indexKeyMoveRetry: Duration = .seconds(5)

    /// How long a command may work after it has made sure which index key is in force.
    public static let indexKeyUse: Duration = .seconds(10)

    /// After what time a client should try again that got no account for want of memory.
    public static let fullMemoryRetry: Duration = .seconds(60)

    /// How long it is remembered what became of a message.
    public static let messageMemory: Duration = .seconds(86_400)
}
