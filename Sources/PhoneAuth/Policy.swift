internal import Passwords
public import RedisStore

/// Lifetimes and rate limits, which the operator sets. Rate limits "per hour" and "per 24 hours" use sliding windows.
public struct Policy: Hashable, Sendable {
    /// What development mode allows; nil in production, so that none of it can be enabled there.
    public var development: DevelopmentPolicy?
    /// The lifetime of a verification code. NIST SP 800-63B allows at most 10 minutes.
    public var sessionLifetime: Duration = .seconds(600)
    /// The time in which repeated sends return the same session without another message.
    public var lockLifetime: Duration = .seconds(60)
    /// The remaining lifetime that a session must have to be resent. Below it, the code would expire while the user
    /// types it, so a new session is opened.
    public var leastLifeToResend: Duration { min(lockLifetime, sessionLifetime / 10) }
    /// The time for which an ended session still explains why it ended.
    public var tombstoneLifetime: Duration = .seconds(600)
    /// The idle lifetime of a refresh token; each use restarts it.
    public var refreshTokenIdleLifetime: Duration = .seconds(400 * 86_400)
    /// Whether refresh tokens rotate: each is single use and is exchanged for its next generation. Off by default,
    /// because apps that always keep the first token would be signed out.
    public var rotatesRefreshTokens = false
    /// The time for which a refresh token's previous generation stays valid: a client may not have received the
    /// response.
    public var refreshTokenGrace: Duration = .seconds(60)
    /// The maximum age of a recent sign-in. ``IDTokenOperation`` lists the operations that require one.
    public var recentSignIn: Duration = .seconds(300)
    /// The number of codes that are verified per session (brute-force limit).
    public var attemptsPerSession = 5
    /// The rate limit on messages to one number, per hour.
    public var sendsPerNumberPerHour = 5
    /// The rate limit on messages to one number, per 24 hours.
    public var sendsPerNumberPerDay = 10
    /// The rate limit on messages that the clients of one network (an IPv4 address or an IPv6 /64) request, per hour.
    /// Every per-network limit applies to the IPv6 /56 and /48 too, as a multiple (``NetworkWidth``).
    public var sendsPerNetworkPerHour = 150
    /// The number of a network's tokens that the challenge provider is asked to check in ``challengeWindow``: a third
    /// of the messages that the network may request per hour, because tokens that prove nothing count, too.
    public var providerChecksPerNetwork: Int { max(10, sendsPerNetworkPerHour / 3) }
    /// The rate limit on messages that one app credential (the push receipts of one device) requests, per hour. A
    /// challenge token is good for one message.
    public var sendsPerAppCredentialPerHour = 10
    /// The rate limit on messages that one app credential requests, per 24 hours.
    public var sendsPerAppCredentialPerDay = 30
    /// The rate limit on messages that a project sends, per 24 hours; 0 for no limit.
    public var sendsPerProjectPerDay = 10_000
    /// The rate limit on messages that all projects send, per hour; 0 for no limit.
    public var sendsPerHour = 5000
    /// The rate limit on messages that all projects send, per 24 hours; 0 for no limit.
    public var sendsPerDay = 20_000
    /// The number of wrong codes for a number that are verified before a correct one. NIST SP 800-63B allows at most
    /// 100.
    public var wrongCodesPerNumber = 100
    /// The number of wrong codes for a number after which a client must wait before its next attempt (exponential
    /// backoff): a second, doubled each time.
    public var wrongCodesBeforeWait = 10
    /// The longest wait before a client's next attempt.
    public var longestWrongCodeWait: Duration = .seconds(3600)
    /// The number of wrong passwords for an e-mail address from one network that are verified, per hour.
    public var wrongPasswordsPerEmailAndNetworkPerHour = 10
    /// The number of wrong passwords for an e-mail address that are verified, per 24 hours. NIST SP 800-63B allows 100
    /// consecutive ones.
    public var wrongPasswordsPerEmailPerDay = 100
    /// The number of wrong passwords from one network, for any address, that are verified, per hour (password spraying,
    /// credential stuffing).
    public var wrongPasswordsPerNetworkPerHour = 100
    /// The rate limit on attempts of one network's clients to get an account or to claim an e-mail address, per hour,
    /// whatever the outcome; 0 for no limit.
    public var signUpsPerNetworkPerHour = 100
    /// The rate limit on accounts that the clients of one network create, per 24 hours, except by phone or with a
    /// custom token; 0 for no limit but the project's. An IPv6 /56 and /48 get 2 and 4 times as many
    /// (``NetworkWidth/maximumOfShare(_:)``).
    public var newAccountsPerNetworkPerDay = 250
    /// The rate limit on accounts that the clients of a project create, per 24 hours, except by phone or with a custom
    /// token; 0 for no limit.
    public var signUpsPerProjectPerDay = 10_000
    /// The rate limit on accounts that the custom tokens of a project create, per 24 hours; 0 for no limit.
    public var customTokenSignUpsPerProjectPerDay = 10_000
    /// The rate limit on password hashes for the clients of one network, per hour; 0 for no limit.
    public var passwordHashesPerNetworkPerHour = 600
    /// The time for which a client waits for its silent push before it falls back to the challenge page.
    public var pushTimeout: Duration = .seconds(5)
    /// The idle lifetime of a push receipt; each use restarts it.
    public var pushReceiptLifetime: Duration = .seconds(30 * 86_400)
    /// The rate limit on silent pushes to one device, per hour; APNs throttles more than a few.
    public var pushesPerDevicePerHour = 3
    /// The rate limit on silent pushes to the devices of one network, per hour.
    public var pushesPerNetworkPerHour = 150
    /// The number of pushes, of ``pushesPerNetworkPerHour``, that may be pending at a time for devices that APNs has
    /// not accepted a push for. A token that APNs rejects as bad counts for an hour.
    public var unprovenPushesPerNetwork: Int { max(10, pushesPerNetworkPerHour / 10) }
    /// When sends to new clients are stepped up (SMS pumping).
    public var tollFraud = TollFraudPolicy()
    /// The time for which verifiers may cache the public keys: the `max-age` of their endpoints (RFC 9111 § 5.2.2.1).
    public var publicKeyCacheLifetime: Duration = .seconds(3600)
    /// The time for which a new signing key is published before it signs: the cache lifetime of a verifier plus a
    /// tenth, at least two seconds more. Workers read the key file up to a second later, clocks differ, and machines
    /// receive the file at different times.
    public var signingKeyLead: Duration { publicKeyCacheLifetime + max(publicKeyCacheLifetime / 10, .seconds(2)) }
    /// The retention of the audit log; zero for no audit log.
    public var auditRetention: Duration = .seconds(90 * 86_400)
    /// The approximate maximum number of events in the audit log; the oldest are evicted first.
    public var auditEvents = 1_000_000
    /// What precedes the project's id in the `iss` claim.
    public var issuerPrefix = "https://securetoken.google.com/"

    /// Creates a policy with the documented defaults.
    public init() {}

    /// The lifetime of an ID token: the protocol's one hour.
    public static let idTokenLifetime: Duration = .seconds(3600)

    /// The tolerance for operators' servers whose clocks are ahead: a revocation must not fail because of clock skew.
    public static let operatorClockSkew: Duration = .seconds(300)

    /// The tolerance for token verifiers whose clocks are behind.
    public static let verifierClockSkew: Duration = .seconds(300)

    /// The shortest and the longest lifetime of a session cookie that the protocol allows.
    public static let sessionCookieLifetimes: ClosedRange<Duration> = .seconds(300) ... .seconds(14 * 86_400)

    /// The time for which a signing key stays published after its successor began to sign: the lifetime of the last
    /// token or session cookie that the key signed.
    public static let signingKeyMemory = sessionCookieLifetimes.upperBound + verifierClockSkew

    /// The lifetime of an access token that was granted to a service account.
    public static let adminAccessLifetime: Duration = .seconds(3600)

    /// The lifetimes that an admin token may have, in days.
    public static let adminTokenDays = 1...3650

    /// The longest uid, in characters.
    public static let maximumUIDCharacters = 128

    /// The maximum number of sessions of an account; a new session evicts the least recently used.
    public static let maximumSessions = 100

    /// The time for which a deleted account is remembered, so that a concurrent sign-in does not recreate it.
    public static let deletionMarkLifetime: Duration = .seconds(3600)

    /// The maximum time for which a worker may be processing a claim. It is far longer than requests take, and far
    /// shorter than ``deletionMarkLifetime``, so that clock skew does no harm.
    public static let claimFreshness: Duration = .seconds(1800)

    /// The deadline for all blocking hooks of one sign-in or enrolment together: Firebase's 7 seconds.
    public static let blockingHookDeadline: Duration = .seconds(7)

    /// The number of attempts of a sign-in or a link while the number's account changes concurrently.
    public static let claimAttempts = 8

    /// The lifetime of a temporary proof.
    public static let temporaryProofLifetime: Duration = .seconds(3600)

    /// The time for which a proven first factor waits for the second factor: longer than the message and its code take.
    public static let pendingCredentialLifetime: Duration = .seconds(900)

    /// The maximum duration of an authenticator app's (TOTP) enrolment.
    public static let totpEnrollmentLifetime: Duration = .seconds(600)

    /// The maximum duration of a second factor's enrolment.
    var longestEnrollment: Duration { max(sessionLifetime, Self.totpEnrollmentLifetime) }

    /// The time in which users may revert the addition of a second factor: they may have to find the operator's message
    /// first.
    public static let secondFactorRevertLifetime: Duration = .seconds(7 * 86_400)

    /// The maximum number of second factors of an account: the protocol's.
    public static let maximumSecondFactors = 5

    /// The maximum length of a user's display name, in characters.
    public static let maximumDisplayNameCharacters = 256

    /// The minimum length of a password, in characters: the protocol's, and Firebase's.
    public static let minimumPasswordCharacters = 6

    /// The maximum length of a password, in bytes: the longest that is hashed.
    public static let maximumPasswordBytes = Password.maximumBytes

    /// The maximum length of the URL of a user's picture, in bytes.
    public static let maximumPhotoURLBytes = 2048

    /// The maximum number of test numbers of a project.
    public static let maximumTestNumbers = 10

    /// The half-life of the count of a number's wrong codes. An attacker who wants to lock a number's new clients out
    /// needs 62 wrong codes a day, for which more messages are needed than the number's rate limit allows.
    public static let wrongCodeHalfLife: Duration = .seconds(86_400)

    /// The half-life of the count of a test number's wrong codes.
    public static let wrongTestCodeHalfLife: Duration = .seconds(900)

    /// The time after the last wrong TOTP or recovery code at which the count of an account's wrong codes is reset.
    /// Until then at most a hundred are verified (NIST SP 800-63B). With a half-life, an attacker who knows the
    /// password could go on guessing indefinitely.
    public static let wrongSecondFactorMemory: Duration = .seconds(30 * 86_400)

    /// Returns how many of the `maximum` messages to a number in a window are reserved for clients that signed in with
    /// the number before: three tenths, so 2 of 5 and 3 of 10. Otherwise anyone who requests all messages locks the
    /// owner out (denial of service).
    static func sendsReservedForKnownClients(of maximum: Int) -> Int { min(maximum - 1, (3 * maximum + 5) / 10) }

    /// Returns how many of the `maximum` wrong passwords for an e-mail address are reserved for networks from which the
    /// user signed in before: the same share as of messages. They are reserved for unknown addresses too. Otherwise the
    /// limit would reveal which addresses have accounts (user enumeration).
    static func wrongPasswordsReservedForKnownClients(of maximum: Int) -> Int {
        sendsReservedForKnownClients(of: maximum)
    }

    /// Returns the default of ``newAccountsPerNetworkPerDay``: a fortieth of the project's limit, so that an IPv6 /48
    /// uses up at most a tenth of the project's limit, but at least ten, because people share networks.
    public static func newAccountsPerNetworkPerDay(ofProject signUps: Int) -> Int {
        signUps == 0 ? 0 : max(10, signUps / 40)
    }

    /// The rate limits on wrong passwords (brute force).
    public var wrongPasswordLimits: WrongPasswordLimits {
        WrongPasswordLimits(
            perEmailAndNetworkPerHour: wrongPasswordsPerEmailAndNetworkPerHour,
            perEmailPerDay: wrongPasswordsPerEmailPerDay,
            reservedForKnownNetworks: Self.wrongPasswordsReservedForKnownClients(of: wrongPasswordsPerEmailPerDay),
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }

    /// The share of a number's wrong codes that is reserved for clients that signed in with the number before, a tenth:
    /// an attacker who uses up the rest does not lock the owner out.
    public static let knownClientsShareOfWrongCodes = 10

    /// The maximum number of clients that are remembered for having signed in with a number, the most recent ones.
    public static let maximumKnownClients = 10

    /// The number of password sign-ins per hour (fixed window), from one network for one e-mail address, that take
    /// precedence over those of unknown clients.
    public static let knownPasswordSignInsPerHour = 5

    /// The time for which a client that signed in with a number, or with an e-mail address and a password, is
    /// remembered.
    public static let knownClientMemory: Duration = .seconds(180 * 86_400)

    /// The time for which a delivered push receipt waits for its first use.
    public static let unusedReceiptLifetime: Duration = .seconds(3600)

    /// The time for which a device and a receipt that APNs has not confirmed are remembered after the push was given
    /// up.
    public static let unprovenPushMemory: Duration = .seconds(60)

    /// The time for which a device's APNs environment (sandbox or production) is remembered after a push was delivered.
    public static let deviceMemory: Duration = .seconds(30 * 86_400)

    /// The time for which no push is sent to a device that no longer has the app. A reinstalled app has a new token.
    public static let unreachableDeviceMemory: Duration = .seconds(86_400)

    /// The time for which no push is sent to a device token that APNs does not know, and for which the token counts
    /// against the networks of the client that named it.
    public static let badDeviceTokenMemory: Duration = .seconds(3600)

    /// The number of networks in which APNs must reject devices as if an app's settings were wrong before the app's
    /// pushes are paused: a device's own token may cause such a response, too.
    public static let networksThatDoubtPushes = 5

    /// The window in which ``networksThatDoubtPushes`` are counted.
    public static let doubtfulPushMemory: Duration = .seconds(600)

    /// The time for which clients fall back to the challenge page at once after APNs rejected their app's push.
    public static let refusedPushMemory: Duration = .seconds(60)

    /// The window in which a network's challenges and provider checks are counted. The challenges (fixed window)
    /// decide the difficulty of the next one; the provider checks are rate limited (sliding window).
    public static let challengeWindow: Duration = .seconds(600)

    /// The maximum clock skew between two workers: each may differ from Redis's clock by 30 seconds. A solved challenge
    /// is remembered for this much longer, so that a worker whose clock is behind does not accept a replay.
    public static let workerClockSkew: Duration = .seconds(60)

    /// The lifetime of a challenge token.
    public static let challengeTokenLifetime: Duration = .seconds(300)

    /// The time for which a used challenge token remembers the request that used it, in case the front end retries the
    /// request.
    public static let usedChallengeTokenMemory: Duration = .seconds(60)

    /// The share of Redis's `maxmemory`, in percent, above which no new accounts are created. The rest is reserved for
    /// existing users.
    public static let fullMemoryPercent: Int64 = 90

    /// The retry delay for clients that were rejected while the index key is moved.
    public static let indexKeyMoveRetry: Duration = .seconds(5)

    /// The maximum time that a command may work after it has verified which index key is current.
    public static let indexKeyUse: Duration = .seconds(10)

    /// The retry delay for clients that got no account because memory is nearly full.
    public static let fullMemoryRetry: Duration = .seconds(60)

    /// The time for which the outcome of a message is remembered.
    public static let messageMemory: Duration = .seconds(86_400)
}
