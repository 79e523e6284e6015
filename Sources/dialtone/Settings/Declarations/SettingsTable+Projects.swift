import ChallengePages
import Encodings
import PhoneAuth
import PhoneNumbers
import RedisScripts

extension SettingsTable {
    static var projectNames: [Setting<DeploymentValues>] {
        [
            Setting("PROJECTS", \.projects, .names, unset: .required, example: "\(ProjectValues.exampleID)") {
                """
                A comma-separated list of the project IDs. An ID has 1 to 63 lowercase letters, digits and dashes. It is
                the audience ("aud") of the project's tokens. The names of a project's settings contain its ID, in
                capitals and with "_" instead of "-".
                """
            }
        ]
    }

    static var projects: [Setting<ProjectValues>] {
        identity + signIn + secondFactors + sending + hooks + challenge + firebase
    }

    private static var identity: [Setting<ProjectValues>] {
        [
            Setting("API_KEYS", \.apiKeys, .list, unset: .required, example: "") {
                """
                A comma-separated list of the API keys that the project's apps send. A key identifies the project. Keys
                are part of every app, so they are not secret. To create one: openssl rand -hex 16
                """
            },
            Setting("NUMBER", \.number, .text, unset: "the project ID", example: "my-project") {
                "The project number."
            },
            Setting(
                "ISSUER",
                \.issuer,
                .text,
                unset: "https://securetoken.google.com/<project ID>",
                example: "https://auth.example.com"
            ) {
                """
                Your own issuer ("iss") of ID tokens, for verifiers that find the public keys by OpenID Connect
                discovery: the https URL of this deployment for a single project, or this URL followed by
                /projects/<project ID> for any number of projects. Firebase's Admin SDKs accept only the default. After
                a change, tokens with the previous issuer stay valid until they expire. See VerifyingTokens.md in
                Dialtone's sources.
                """
            },
            Setting("NAME", \.appName, .text, unset: "no name in messages", example: "my-project") {
                "The app name in text messages, at most 40 characters."
            },
            Setting(
                "MESSAGE_FILE",
                \.messageFile,
                .text,
                unset: "the built-in texts",
                example: "/etc/dialtone/messages.txt"
            ) {
                """
                A file with your own texts for messages. Each line is the text for one language (BCP 47), for example:
                pt={code} é o seu código do {app}. {app} stands for the app name and is optional. Languages without a
                line use the built-in texts.
                """
            },
            Setting(
                "MAIL_FILE",
                \.mailFile,
                .text,
                unset: "the built-in texts",
                example: "/etc/dialtone/mails.txt"
            ) {
                """
                A file with your own texts for mails. Each line is one subject or text for one language, for example:
                pt.resetPassword.text=Nova senha para {email}:\\n\\n{link}. The others are verifyEmail, signIn,
                verifyAndChangeEmail and recoverEmail, and subject in place of text. {app} stands for the app name,
                {newEmail} for a changed address. \\n is a line break.
                """
            },
            Setting(
                "MAIL_FROM",
                \.mailSender,
                .emailAddress,
                unset: "the deployment's",
                example: "no-reply@example.com"
            ) {
                "The address that the project's mails are from."
            },
            Setting(
                "AUTHORIZED_DOMAINS",
                \.authorizedDomains,
                .list(
                    of: "a host name, such as app.example.com or app.example.com:8443",
                    AuthorizedDomain.normalized
                ),
                unset: "localhost and <project ID>.firebaseapp.com",
                example: "localhost,my-project.firebaseapp.com"
            ) {
                """
                A comma-separated list of the domains of the project's web apps. A domain is a host name without
                https://, and with its port if that is not 443: app.example.com or app.example.com:8443.
                """
            },
            Setting(
                "REDIRECT_URIS",
                \.redirectURIs,
                .list(
                    of: """
                        an https URL, an http URL with a loopback address, or a URL such as com.example.app:/cb, \
                        without user name or fragment
                        """,
                    RedirectURI.init
                ),
                example: "https://app.example.com/cb,com.example.app:/cb,http://127.0.0.1/cb"
            ) {
                """
                A comma-separated list of OAuth redirect URIs: where the sign-in page may send users with an
                authorization code. An app's redirect_uri must be equal to one of them, byte for byte. A loopback
                address without a port matches any port. See SignInByRedirect.md in Dialtone's sources.
                """
            },
        ]
    }

    private static var signIn: [Setting<ProjectValues>] {
        [
            Setting("PHONE_SIGN_IN", \.isPhoneSignInEnabled, .enabled) {
                "Whether users can sign in with a phone number."
            },
            Setting("ANONYMOUS_SIGN_IN", \.isAnonymousSignInEnabled, .enabled) {
                "Whether anyone can create an anonymous account."
            },
            Setting("AUTODELETE_ANONYMOUS_USERS", \.unusedAnonymousUsers.areDeleted, .enabled) {
                "Whether the dispatcher deletes unused anonymous accounts."
            },
            Setting("ANONYMOUS_USER_DAYS", \.unusedAnonymousUsers.after, .days(1...3650)) {
                """
                How long after its last sign-in or token refresh an anonymous account counts as unused. This matters
                only if unused anonymous accounts are deleted.
                """
            },
            Setting("PASSWORD_SIGN_IN", \.isPasswordSignInEnabled, .enabled) {
                "Whether users can sign in with an e-mail address and a password."
            },
            Setting("EMAIL_LINK_SIGN_IN", \.allowsEmailLinks, .enabled) {
                "Whether users can also sign in with a link that is sent to their e-mail address."
            },
            Setting("EMAIL_ENUMERATION_PROTECTION", \.protectsEmails, .enabled) {
                """
                Whether responses hide which e-mail addresses have accounts (protection against user enumeration). A
                sign-up with an address reveals it in any case.
                """
            },
            Setting("RECENT_SIGN_IN_TO_LINK", \.linkingNeedsRecentSignIn, .enabled) {
                """
                Whether adding a first phone number, e-mail address or password to an account requires a recent sign-in
                (DIALTONE_RECENT_SIGN_IN_SECONDS). If disabled, a stolen ID token of any age is enough to add a sign-in
                method and take over the account. Replacing one always requires a recent sign-in.
                RecentSignIns.md in Dialtone's sources lists all operations.
                """
            },
            Setting("SERVICE_ACCOUNT_FILES", \.serviceAccountFiles, .list) {
                """
                A comma-separated list of the files of the service accounts that may sign custom tokens and use the
                admin interface. Each file is JSON with client_email and with public_key or private_key, an RSA key of
                at least 2048 bits in PEM. The Admin SDKs need the private key; workers need only the public key. In
                development mode, custom tokens are accepted without verification.
                """
            },
            Setting("SESSION_COOKIE_NAME", \.sessionCookieName, .cookieName) {
                """
                The name of the cookie in which your web apps keep session cookies, for forward authentication (nginx
                auth_request). If the name begins with __Host-, browsers accept the cookie only from the app's own host.
                See ForwardAuthentication.md in Dialtone's sources.
                """
            },
            Setting("RECYCLED_NUMBER_DAYS", \.recycledNumberAge, .days(0...3650)) {
                """
                How long after a sign-in with a phone number the number is assumed to be still the user's; 0 means
                forever. After that, the number may have been recycled: if the account has a password, the number alone
                is not enough to sign in.
                """
            },
            Setting("RECYCLED_NUMBER_POLICY", \.recycledNumberAnswer, .choice(["ask": .ask, "fresh": .fresh])) {
                """
                What happens at a sign-in with a number that may have been recycled. ask: the app must also ask for the
                password. fresh: the account loses the number, and the number gets a new account.
                """
            },
        ]
    }

    private static var secondFactors: [Setting<ProjectValues>] {
        [
            Setting(
                "SECOND_FACTORS",
                \.secondFactors,
                .choice(["off": .off, "optional": .optional, "required": .required])
            ) {
                """
                Whether a sign-in with a password asks for a second factor. optional: if the user has enrolled one.
                required: sessions of users without a second factor end when their first ID token expires. See
                SecondFactors.md in Dialtone's sources.
                """
            },
            Setting(
                "SECOND_FACTOR_KINDS",
                \.secondFactorKinds,
                .list(of: "sms or totp") { ProjectValues.SecondFactorKind(rawValue: $0) }
            ) {
                """
                A comma-separated list of the kinds of second factors that users can enroll: sms, totp (authenticator
                apps) or both.
                """
            },
            Setting(
                "TOTP_ADJACENT_INTERVALS",
                \.totpAdjacentIntervals,
                .number(0...SecondFactorPolicy.maximumAdjacentIntervals)
            ) {
                "How far the clock of an authenticator app may be off, in steps of 30 seconds."
            },
        ]
    }

    private static var sending: [Setting<ProjectValues>] {
        [
            Setting("SIGN_UP_APP_PROOF", \.requiresAppProofAtSignUp, .choice(["required": true, "off": false])) {
                """
                Whether a sign-up requires app verification: the same proof of being one of the project's apps that a
                request for a verification code requires. Unmodified SDKs cannot send it to accounts:signUp. Sign-ins,
                custom tokens and test numbers require none.
                """
            },
            Setting(
                "TEST_NUMBER_APP_PROOF",
                \.requiresAppProofForTestNumbers,
                .choice(["required": true, "off": false])
            ) {
                """
                Whether a test number requires app verification. With required, a request without it gets the same
                response for a test number as for any other number, so that strangers cannot find test numbers and
                guess their codes. SDKs must then not disable app verification for testing.
                """
            },
            Setting("SMS_ALLOWED_REGIONS", \.allowedRegions, .regions, unset: "all regions", example: "US,CA") {
                """
                The only regions that the project sends messages to: a comma-separated list of region codes (ISO 3166-1
                alpha-2), and 001 for non-geographic numbers such as +800. A number that the numbering data do not know
                counts as its calling code's main region, such as US for +1. Set this list or the next one, not both.
                """
            },
            Setting("SMS_DISALLOWED_REGIONS", \.disallowedRegions, .regions, unset: "none", example: "") {
                """
                A comma-separated list of the regions that the project sends no messages to.
                """
            },
            Setting(
                "SMS_UNASSIGNED_NUMBERS",
                \.unassignedNumbers,
                .choice(["challenged": .challenged, "refused": .refused, "allowed": .allowed])
            ) {
                """
                Whether the project sends messages to possible numbers that are not in the numbering data, because they
                are newer or not assigned. With challenged, a new client must solve the hard challenge, and few
                messages to a million neighboring numbers may remain unverified. With refused, such users cannot be
                imported or created either. With allowed, they are sent to like others, and so are non-geographic
                numbers (001: +800, +881, +883), for which a list of allowed regions can include 001 instead. Test
                numbers are always accepted.
                """
            },
        ]
    }

    private static var hooks: [Setting<ProjectValues>] {
        [
            Setting(
                "BEFORE_CREATE_URL",
                \.beforeCreateURL,
                .text,
                unset: "none",
                isSecret: true,
                example: "https://hooks.example.com/create"
            ) {
                """
                The URL of a blocking hook: a server of yours that is called before an account is created, and that can
                deny the operation or change the account. An https URL without a user name. BlockingHooks.md in
                Dialtone's sources describes requests and responses. If Redis is on this machine, workers cannot reach
                any other address until you allow it (systemd.md, "Blocking hooks").
                """
            },
            Setting(
                "BEFORE_SIGN_IN_URL",
                \.beforeSignInURL,
                .text,
                unset: "none",
                isSecret: true,
                example: "https://hooks.example.com/sign-in"
            ) {
                "The URL of the blocking hook that is called before a user signs in with a phone number or a password."
            },
            Setting(
                "BEFORE_SECOND_FACTOR_ENROLLMENT_URL",
                \.beforeSecondFactorEnrollmentURL,
                .text,
                unset: "none",
                isSecret: true,
                example: "https://hooks.example.com/second-factor"
            ) {
                """
                The URL of the blocking hook that is called before an account gets a second factor. The hook receives a
                code with which the user can undo the enrollment.
                """
            },
        ]
    }

    private static var challenge: [Setting<ProjectValues>] {
        [
            Setting("CHALLENGE", \.challenge, .challenge, example: "recaptcha-checkbox") {
                """
                The challenge that verifies web apps, and other apps if silent push cannot. proof-of-work requires
                nothing of the user and no third party. The other challenges are widgets of CAPTCHA providers.
                """
            },
            Setting("CHALLENGE_SITE_KEY", \.challengeSiteKey, .text, unset: "none", example: "site-key") {
                """
                The provider's site key. A solution counts only if the widget was on one of the project's authorized
                domains, so register the hosts of the challenge page and of the web apps with the provider.
                """
            },
            Setting("CHALLENGE_SECRET", \.challengeSecret, .text, unset: "none", isSecret: true, example: "secret") {
                "The secret that belongs to the site key."
            },
            Setting(
                "CHALLENGE_VERIFY_URL",
                \.challengeVerifyURL,
                .text,
                unset: "the provider's URL",
                isSecret: true,
                example: "https://www.google.com/recaptcha/api/siteverify"
            ) {
                "The URL at which the provider verifies solutions: https, or http with a loopback address."
            },
        ]
    }
}

extension SettingsTable {
    fileprivate static var firebase: [Setting<ProjectValues>] {
        [
            Setting(
                "FIREBASE_SESSIONS_UNTIL",
                \.firebaseSessionsEnd,
                .day,
                unset: "off",
                example: "2027-12-31"
            ) {
                """
                Takes over the sessions of users who are signed in to the Firebase project that they come from, until
                the beginning of this day (UTC). An app's first token refresh with Dialtone exchanges its Firebase
                refresh token at Google's server. See MovingUsersFromFirebase.md in Dialtone's sources. If Redis is on
                this machine, workers cannot reach any other address until you allow it (systemd.md, "Blocking hooks").
                """
            },
            Setting(
                "FIREBASE_API_KEY",
                \.firebaseAPIKey,
                .text("letters, digits, dashes and underscores") { key in
                    key.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
                },
                unset: "none",
                isSecret: true,
                example: "secret"
            ) {
                """
                An API key of the Firebase project that may use the Token Service API and has no application
                restrictions. Required to take over sessions.
                """
            },
            Setting(
                "FIREBASE_PROJECT_ID",
                \.firebaseProjectID,
                .text,
                unset: "the project ID",
                example: "my-firebase-project"
            ) {
                "The ID of the Firebase project whose sessions are taken over."
            },
            Setting(
                "FIREBASE_URL",
                \.firebaseURL,
                .text,
                unset: "Google's servers",
                example: "https://firebase-proxy.example.com"
            ) {
                """
                The URL of a server of yours that passes /v1/token on to securetoken.googleapis.com and /robot/ to
                www.googleapis.com: https, or http with a loopback address.
                """
            },
        ]
    }
}

extension SettingKind<Instant> {
    /// The beginning of a day in UTC.
    fileprivate static var day: Self {
        SettingKind(
            form: "a date such as 2027-12-31",
            parse: { Instant(rfc3339: "\($0)T00:00:00Z") },
            show: { String($0.rfc3339.prefix(10)) }
        )
    }
}

extension SettingKind<String> {
    /// A token as in RFC 9110 § 5.6.2, which RFC 6265 § 4.1.1 requires.
    fileprivate static var cookieName: Self {
        text("a cookie name: letters, digits, - and _, at most 64") { name in
            (1...64).contains(name.utf8.count)
                && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        }
    }
}

extension SettingKind<Set<Region>> {
    fileprivate static var regions: Self {
        // Settings+Numbering.swift checks that the regions exist.
        let list = SettingKind<[Region]>.list(of: "a region code (ISO 3166-1 alpha-2, or 001)") { Region($0) }
        return SettingKind(
            parse: { text throws(SettingFault) in Set(try list.parse(text)) },
            show: { regions in list.show(regions.sorted { "\($0)" < "\($1)" }) }
        )
    }
}

extension SettingKind<ChallengeProvider.Kind?> {
    fileprivate static var challenge: Self {
        let none = "proof-of-work"
        let words = ([none] + ChallengeProvider.Kind.allCases.map(\.rawValue)).joined(separator: ", ")
        return SettingKind(
            domain: words,
            parse: { text throws(SettingFault) in
                if text == none { return nil }
                guard let kind = ChallengeProvider.Kind(rawValue: text) else { throw .isNot("one of \(words)") }
                return kind
            },
            show: { $0?.rawValue ?? none }
        )
    }
}
