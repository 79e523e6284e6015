import PhoneAuth

extension SettingsTable {
    static let rateLimitIntroduction = """
        Rate limits of phone numbers and e-mail addresses are sliding windows. Those that many users share (networks,
        devices, projects) allow their maximum at once, and then give one event back after each part of the window.
        dialtone limits show prints how much of its limits a number has used, and dialtone limits reset resets them.
        Only the limits on wrong codes apply to test numbers. A network is an IPv4 address or an IPv6 /64. In all limits
        per network, an IPv6 /56 has 4 times as many and a /48 has 16 times as many unless stated otherwise. The address
        is the one that nginx passes on: behind a load balancer, it must be the client's (set_real_ip_from).
        """

    static var rateLimits: [Setting<DeploymentValues>] {
        sends + mails + wrongCodes + wrongPasswords + signUps + pushes
    }

    private static let most = 1_000_000
    private static let mostOfProject = 1_000_000_000

    private static var sends: [Setting<DeploymentValues>] {
        [
            Setting("SENDS_PER_NUMBER_PER_HOUR", \.policy.sendsPerNumberPerHour, .number(1...most)) {
                """
                The maximum number of messages to one phone number in an hour. If clients have signed in with the number
                before, three tenths are reserved for them and for requests with its account's ID token.
                """
            },
            Setting("SENDS_PER_NUMBER_PER_DAY", \.policy.sendsPerNumberPerDay, .number(1...most)) {
                """
                The maximum number of messages to one phone number in 24 hours. Three tenths are reserved in the same
                way.
                """
            },
            Setting("SENDS_PER_NETWORK_PER_HOUR", \.policy.sendsPerNetworkPerHour, .number(1...most)) {
                """
                The maximum number of messages that the clients of one network request in an hour. No IPv4 address and
                no IPv6 /48 gets more than a tenth of a project's messages of an hour or a day. Three tenths are
                reserved in the same way.
                """
            },
            Setting("SENDS_PER_APP_CREDENTIAL_PER_HOUR", \.policy.sendsPerAppCredentialPerHour, .number(1...most)) {
                "The maximum number of messages that one device requests with its push receipts in an hour."
            },
            Setting("SENDS_PER_APP_CREDENTIAL_PER_DAY", \.policy.sendsPerAppCredentialPerDay, .number(1...most)) {
                "The maximum number of messages that one device requests with its push receipts in 24 hours."
            },
            Setting("SENDS_PER_PROJECT_PER_HOUR", \.policy.sendsPerProjectPerHour, .number(0...mostOfProject)) {
                """
                The maximum number of messages of each project in an hour; 0 means no limit. This limit and the next one
                bound your costs: set them to a few times the number of messages of a busy hour and day. dialtone config
                check prints what they allow and cost. Three tenths of both are reserved for clients that have signed in
                with the number before, and for requests with its account's ID token.
                """
            },
            Setting("SENDS_PER_PROJECT_PER_DAY", \.policy.sendsPerProjectPerDay, .number(0...mostOfProject)) {
                "The maximum number of messages of each project in 24 hours; 0 means no limit."
            },
        ]
    }

    private static var mails: [Setting<DeploymentValues>] {
        [
            Setting("MAILS_PER_ADDRESS_PER_HOUR", \.policy.mailsPerAddressPerHour, .number(0...most)) {
                """
                The maximum number of e-mails to one address in an hour; in 24 hours, it is twice as large. 0 means no
                limit.
                """
            },
            Setting("MAILS_PER_NETWORK_PER_HOUR", \.policy.mailsPerNetworkPerHour, .number(0...most)) {
                """
                The maximum number of e-mails that the clients of one network request in an hour, but at most a tenth of
                the next limit; 0 means no limit.
                """
            },
            Setting("MAILS_PER_PROJECT_PER_HOUR", \.policy.mailsPerProjectPerHour, .number(0...mostOfProject)) {
                "The maximum number of e-mails of each project in an hour; 0 means no limit."
            },
            Setting("MAILS_PER_PROJECT_PER_DAY", \.policy.mailsPerProjectPerDay, .number(0...mostOfProject)) {
                "The maximum number of e-mails of each project in 24 hours; 0 means no limit."
            },
        ]
    }

    private static var wrongCodes: [Setting<DeploymentValues>] {
        [
            Setting("WRONG_CODES_PER_NUMBER", \.policy.wrongCodesPerNumber, .number(1...100)) {
                """
                The maximum number of wrong codes for a phone number; beyond it, codes are rejected without
                verification. A correct code resets the count, and half of it is forgotten each day. NIST SP 800-63B
                allows at most 100. A tenth is reserved for clients that have signed in with the number before, and for
                requests with its account's ID token. For all clients together, a test number has ten times as many, and
                half of its count is forgotten every 15 minutes.
                """
            },
            Setting("WRONG_CODES_BEFORE_WAIT", \.policy.wrongCodesBeforeWait, .number(1...100)) {
                """
                The number of wrong codes of one client for a phone number after which the client must wait before its
                next code is verified: first one second, then each time twice as long (exponential backoff).
                """
            },
            Setting("LONGEST_WRONG_CODE_WAIT_SECONDS", \.policy.longestWrongCodeWait, .seconds(1...86_400)) {
                "The longest wait after wrong codes."
            },
        ]
    }

    private static var wrongPasswords: [Setting<DeploymentValues>] {
        [
            Setting(
                "WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR",
                \.policy.wrongPasswordsPerEmailAndNetworkPerHour,
                .number(1...most)
            ) {
                """
                The maximum number of wrong passwords for one e-mail address from one network in an hour. In 24 hours,
                an IPv4 address or IPv6 /48 has 4 times as many, but at most three fifths of what the next limit does
                not reserve.
                """
            },
            Setting("WRONG_PASSWORDS_PER_EMAIL_PER_DAY", \.policy.wrongPasswordsPerEmailPerDay, .number(1...most)) {
                """
                The maximum number of wrong passwords for one e-mail address in 24 hours. Three tenths are reserved for
                networks from which its user has signed in before.
                """
            },
            Setting(
                "WRONG_PASSWORDS_PER_NETWORK_PER_HOUR",
                \.policy.wrongPasswordsPerNetworkPerHour,
                .number(1...most)
            ) {
                """
                The maximum number of wrong passwords from one network in an hour, for all e-mail addresses together.
                Three tenths are reserved in the same way.
                """
            },
        ]
    }

    /// The rate limits of sign-ups. Sign-ups by phone are limited only as messages; sign-ups with custom tokens have
    /// only their own limit.
    private static var signUps: [Setting<DeploymentValues>] {
        [
            Setting("SIGN_UPS_PER_NETWORK_PER_HOUR", \.policy.signUpsPerNetworkPerHour, .number(0...most)) {
                """
                The maximum number of attempts from one network in an hour to create an account or to claim an e-mail
                address, successful or not; 0 means no limit. Sign-ups by phone and with custom tokens, and requests of
                administrators, do not count. Increase this limit and the next two if one of your own servers signs up
                your users from one address.
                """
            },
            Setting("NEW_ACCOUNTS_PER_NETWORK_PER_DAY", \.policy.newAccountsPerNetworkPerDay, .number(0...most)) {
                """
                The maximum number of accounts that one network creates in 24 hours. An IPv6 /56 has twice as many and a
                /48 has 4 times as many. No network gets more than a tenth of the next limit; 0 means a tenth.
                """
            },
            Setting("SIGN_UPS_PER_PROJECT_PER_DAY", \.policy.signUpsPerProjectPerDay, .number(0...mostOfProject)) {
                "The maximum number of accounts that the clients of each project create in 24 hours; 0 means no limit."
            },
            Setting(
                "CUSTOM_TOKEN_SIGN_UPS_PER_PROJECT_PER_DAY",
                \.policy.customTokenSignUpsPerProjectPerDay,
                .number(0...mostOfProject)
            ) {
                """
                The maximum number of accounts that the custom tokens of each project create in 24 hours; 0 means no
                limit.
                """
            },
            Setting(
                "PASSWORD_HASHES_PER_NETWORK_PER_HOUR",
                \.policy.passwordHashesPerNetworkPerHour,
                .number(0...most)
            ) {
                "The maximum number of passwords that are hashed for one network in an hour; 0 means no limit."
            },
        ]
    }

    private static var pushes: [Setting<DeploymentValues>] {
        [
            Setting("PUSHES_PER_DEVICE_PER_HOUR", \.policy.pushesPerDevicePerHour, .number(1...1000)) {
                """
                The maximum number of silent pushes to one device in an hour. APNs throttles more than two or three.
                Beyond the limit, the app opens the challenge page.
                """
            },
            Setting("PUSHES_PER_NETWORK_PER_HOUR", \.policy.pushesPerNetworkPerHour, .number(1...most)) {
                """
                The maximum number of silent pushes to the devices of one network in an hour. At most a tenth of them
                can be in progress to devices for which APNs has not accepted a push yet. A device token that APNs
                rejects as bad counts for an hour.
                """
            },
        ]
    }
}
