import PhoneAuth

extension SettingsTable {
    static var sessions: [Setting<DeploymentValues>] {
        [
            Setting("SESSION_SECONDS", \.policy.verificationLifetime, .seconds(60...600)) {
                "How long a verification code is valid."
            },
            Setting("LOCK_SECONDS", \.policy.lockLifetime, .seconds(1...600)) {
                """
                How long repeated requests from one client to send a code to one number return the same session without
                another message. Below 10 seconds, nginx's retry after the death of a worker can send a second message.
                """
            },
            Setting("TOMBSTONE_SECONDS", \.policy.tombstoneLifetime, .seconds(1...86_400)) {
                "How long an ended session still reports why it ended."
            },
            Setting("EMAIL_LINK_SECONDS", \.policy.emailActionLifetime, .seconds(300...86_400)) {
                "How long a link in an e-mail is valid that resets a password or signs in."
            },
            Setting("ATTEMPTS_PER_SESSION", \.policy.attemptsPerVerification, .number(1...10)) {
                "The maximum number of codes that are verified for a session."
            },
            Setting("REFRESH_TOKEN_IDLE_DAYS", \.policy.refreshTokenIdleLifetime, .days(1...3650)) {
                "How long an unused refresh token is valid. Each use restarts the period."
            },
            Setting("REFRESH_TOKEN_ROTATION", \.policy.rotatesRefreshTokens, .enabled) {
                """
                Whether each use of a refresh token returns a new token and invalidates the previous one (refresh token
                rotation). A copied token is then detected when the other holder uses it, and is revoked for both.
                Enable this only for native apps, and for web apps that use a single tab: other tabs of the Firebase JS
                SDK keep earlier tokens, and their users are signed out. See Sessions.md in Dialtone's sources.
                """
            },
            Setting("REFRESH_TOKEN_GRACE_SECONDS", \.policy.refreshTokenGrace, .seconds(1...3600)) {
                """
                How long the previous refresh token is still valid after a rotation, for clients that did not receive
                the response.
                """
            },
            Setting("RECENT_SIGN_IN_SECONDS", \.policy.recentSignIn, .seconds(60...86_400)) {
                """
                How long a sign-in counts as recent. Adding, replacing or removing a sign-in method or a second factor,
                revoking all sessions and deleting the account require a recent sign-in, so that a stolen ID token is
                not enough. Otherwise, the app must ask the user to sign in again (CREDENTIAL_TOO_OLD_LOGIN_AGAIN).
                RecentSignIns.md in Dialtone's sources lists all operations.
                """
            },
            Setting("PUSH_TIMEOUT_SECONDS", \.policy.pushTimeout, .seconds(1...60)) {
                "How long an app waits for its silent push before it opens the challenge page."
            },
            Setting("PUSH_RECEIPT_DAYS", \.policy.pushReceiptLifetime, .days(1...365)) {
                "How long a push receipt, which verifies an app, is valid after its last use."
            },
            Setting("PUBLIC_KEY_CACHE_SECONDS", \.policy.publicKeyCacheLifetime, .seconds(1...86_400)) {
                """
                How long token verifiers may cache the public keys. A new signing key is published for this time plus a
                tenth before it signs. After you shorten this time, wait for the previous time to pass before you run:
                dialtone keys rotate
                """
            },
        ]
    }

    static var auditLog: [Setting<DeploymentValues>] {
        [
            Setting("AUDIT_DAYS", \.policy.auditRetention, .days(0...3650)) {
                "How long audit events are kept; 0 disables the audit log. To print them: dialtone audit"
            },
            Setting("AUDIT_MAXIMUM_EVENTS", \.policy.auditEvents, .number(1000...1_000_000_000)) {
                """
                The approximate maximum number of audit events that are kept. The oldest are deleted first. An event
                takes about 180 bytes of Redis's memory.
                """
            },
        ]
    }
}
