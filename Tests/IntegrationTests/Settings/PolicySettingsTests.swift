import PhoneAuth
import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import dialtone

/// The settings of region policy and limits, compared with the documentation.
@Suite struct PolicySettingsTests {
    private static func settings(_ more: [String: String] = [:]) throws(Failure) -> Settings {
        let complete = [
            "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json",
        ].merging(more) { _, later in later }
        let environment = Dictionary(uniqueKeysWithValues: complete.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment))
    }

    @Test("by default, a project sends to every region, and its users sign in by phone")
    func everywhere() throws {
        let project = try Self.settings().projects[0]
        #expect(project.smsRegions == .everywhere)
        #expect(project.isPhoneSignInEnabled)
    }

    @Test(
        "weak first factors are disabled in production and enabled in development, unless a setting overrides this"
    )
    func firstFactors() throws {
        let production = try Self.settings().projects[0]
        #expect(!production.isAnonymousSignInEnabled)
        #expect(production.linkingNeedsRecentSignIn)
        #expect(!production.isPasswordSignInEnabled && production.protectsEmails)
        #expect(production.customTokenIssuers == .serviceAccounts([]))
        let development = try Self.settings(["MODE": "development"]).projects[0]
        #expect(development.isAnonymousSignInEnabled)
        #expect(development.linkingNeedsRecentSignIn)
        #expect(development.isPasswordSignInEnabled && !development.protectsEmails)
        #expect(development.customTokenIssuers == .anyoneUnverified)
        let off = try Self.settings(["MODE": "development", "PROJECT_ACME_ANONYMOUS_SIGN_IN": "disabled"]).projects[0]
        #expect(!off.isAnonymousSignInEnabled)
        let failure = #expect(throws: Failure.self) {
            try Self.settings(["PROJECT_ACME_SERVICE_ACCOUNT_FILES": "/dev/null"])
        }
        let expected =
            "DIALTONE_PROJECT_ACME_SERVICE_ACCOUNT_FILES: \"/dev/null\": /dev/null: not JSON with client_email and an RSA "
            + "private_key or public_key"
        #expect(failure?.description == expected)
    }

    @Test("the recycled-number policy is off unless a setting enables it")
    func recycledNumbers() throws {
        #expect(try Self.settings().projects[0].recycledNumbers == nil)
        let days = "PROJECT_ACME_RECYCLED_NUMBER_DAYS"
        let policy = "PROJECT_ACME_RECYCLED_NUMBER_POLICY"
        for (name, answer) in [("ask", RecycledNumberRule.Answer.ask), ("fresh", .fresh)] {
            let set = try Self.settings([days: "90", policy: name]).projects[0].recycledNumbers
            #expect(set == RecycledNumberPolicy(provenFor: .seconds(90 * 86_400), answer: answer))
        }
        #expect(try Self.settings([days: "90"]).projects[0].recycledNumbers?.answer == .ask)
        for (name, value) in [(days, "3651"), (days, "-1"), (policy, "maybe")] {
            #expect(throws: Failure.self) { try Self.settings([name: value]) }
        }
    }

    @Test("anonymous users are kept unless a setting deletes them after thirty days without use")
    func anonymousUsers() throws {
        let (isDeleted, days) = ("PROJECT_ACME_AUTODELETE_ANONYMOUS_USERS", "PROJECT_ACME_ANONYMOUS_USER_DAYS")
        #expect(try Self.settings().projects[0].unusedAnonymousUsers == UnusedAnonymousUsers(areDeleted: false))
        let month = UnusedAnonymousUsers(areDeleted: true, after: .seconds(30 * 86_400))
        #expect(try Self.settings([isDeleted: "enabled"]).projects[0].unusedAnonymousUsers == month)
        let set = try Self.settings([isDeleted: "enabled", days: "7"]).projects[0].unusedAnonymousUsers
        #expect(set == UnusedAnonymousUsers(areDeleted: true, after: .seconds(7 * 86_400)))
        for (name, value) in [(days, "0"), (days, "3651"), (isDeleted, "yes")] {
            #expect(throws: Failure.self) { try Self.settings([name: value]) }
        }
    }

    @Test(
        "config check names limits that a single network could exhaust for everyone",
        arguments: [
            ([:], nil),
            (
                ["WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR": "18"],
                "DIALTONE_WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR=18: in 24 hours an IPv4 address or IPv6 /48 "
                    + "gets 42 wrong passwords per e-mail address, not 72: the rest of the 70 for unknown networks "
                    + "is reserved for others"
            ),
        ] as [([String: String], String?)]
    )
    func reminders(settings: [String: String], expected: String?) throws {
        let reminders = ConfigurationCommand.Check.reminders(of: try Self.settings(settings).policy)
        #expect(reminders == (expected.map { [$0] } ?? []))
    }

    @Test("the audit log is kept for ninety days by default, and is disabled if that is 0")
    func auditLog() throws {
        #expect(try Self.settings().policy.auditRetention == .seconds(90 * 86_400))
        let policy = try Self.settings(["AUDIT_DAYS": "0", "AUDIT_MAXIMUM_EVENTS": "5000"]).policy
        #expect(policy.auditRetention == .zero && policy.auditEvents == 5000)
    }

    @Test("by default, refresh tokens do not rotate, and sensitive changes require a sign-in within five minutes")
    func tokens() throws {
        let policy = try Self.settings().policy
        #expect(!policy.rotatesRefreshTokens)
        #expect(policy.refreshTokenGrace == .seconds(60) && policy.recentSignIn == .seconds(300))
        let changed = try Self.settings([
            "REFRESH_TOKEN_ROTATION": "enabled", "REFRESH_TOKEN_GRACE_SECONDS": "10", "RECENT_SIGN_IN_SECONDS": "600",
        ]).policy
        #expect(changed.rotatesRefreshTokens)
        #expect(changed.refreshTokenGrace == .seconds(10) && changed.recentSignIn == .seconds(600))
    }

    @Test("regions are read in any order and spacing, and 001 is a region")
    func regions() throws {
        let us = try #require(Region("US"))
        let allowed = try Self.settings(["PROJECT_ACME_SMS_ALLOWED_REGIONS": " 001 ,US,US"]).projects[0]
        #expect(allowed.smsRegions == .allowlistOnly(allowed: [us, .nonGeographic]))
        let disallowed = try Self.settings(["PROJECT_ACME_SMS_DISALLOWED_REGIONS": "US"]).projects[0]
        #expect(disallowed.smsRegions == .allowByDefault(disallowed: [us]))
        let off = try Self.settings(["PROJECT_ACME_PHONE_SIGN_IN": "disabled"]).projects[0]
        #expect(!off.isPhoneSignInEnabled)
    }

    @Test(
        "an invalid region, two lists, or another word for off is reported",
        arguments: [
            (
                ["SMS_ALLOWED_REGIONS": "US,USA"],
                #"SMS_ALLOWED_REGIONS: "US,USA": USA is not a region code (ISO 3166-1 alpha-2, or 001)"#
            ),
            (
                ["SMS_DISALLOWED_REGIONS": "us"],
                #"SMS_DISALLOWED_REGIONS: "us": us is not a region code (ISO 3166-1 alpha-2, or 001)"#
            ),
            (
                ["SMS_ALLOWED_REGIONS": "+1"],
                #"SMS_ALLOWED_REGIONS: "+1": +1 is not a region code (ISO 3166-1 alpha-2, or 001)"#
            ), (["SMS_ALLOWED_REGIONS": " , "], #"SMS_ALLOWED_REGIONS: " , " is not a comma-separated list"#),
            (
                ["SMS_ALLOWED_REGIONS": "US", "SMS_DISALLOWED_REGIONS": "CA"],
                #"SMS_DISALLOWED_REGIONS: "CA": DIALTONE_PROJECT_ACME_SMS_ALLOWED_REGIONS is set, too; "#
                    + "remove one of them"
            ), (["PHONE_SIGN_IN": "off"], #"PHONE_SIGN_IN: "off" is not one of enabled, disabled"#),
        ]
    )
    func wrong(settings: [String: String], message: String) {
        let failure = #expect(throws: Failure.self) {
            try Self.settings(
                Dictionary(uniqueKeysWithValues: settings.map { ("PROJECT_ACME_\($0.key)", $0.value) })
            )
        }
        #expect(failure?.description == "DIALTONE_PROJECT_ACME_\(message)")
    }

    @Test(
        "a limit out of range is named, and 0 means no limit only if the cost stays bounded",
        arguments: [
            ("SENDS_PER_NETWORK_PER_HOUR", "0", "1 to 1000000"), ("SENDS_PER_NUMBER_PER_DAY", "0", "1 to 1000000"),
            ("SENDS_PER_APP_CREDENTIAL_PER_DAY", "0", "1 to 1000000"),
            ("SENDS_PER_PROJECT_PER_HOUR", "-1", "0 to 1000000000"),
            ("WRONG_CODES_PER_NUMBER", "101", "1 to 100"), ("LONGEST_WRONG_CODE_WAIT_SECONDS", "0", "1 to 86400"),
            ("PUBLIC_KEY_CACHE_SECONDS", "0", "1 to 86400"),
        ]
    )
    func outOfRange(name: String, value: String, range: String) throws {
        let failure = #expect(throws: Failure.self) { try Self.settings([name: value]) }
        #expect(failure?.description == "DIALTONE_\(name): \"\(value)\" is not a number from \(range)")
        for name in ["SENDS_PER_PROJECT_PER_HOUR", "SENDS_PER_PROJECT_PER_DAY"] {
            #expect(try Self.settings([name: "0"]).policy != Self.settings().policy)
        }
    }

    // MARK: Toll fraud

    @Test(
        "config check prints what the messages of all projects may cost in a day, at the highest price of their regions",
        arguments: [
            ([:], "at most 2000 in 24 hours on average, which may cost 480.00 at the highest price of a region"),
            (
                ["PROJECT_ACME_SMS_ALLOWED_REGIONS": "US", "PROJECT_OTHER_SMS_DISALLOWED_REGIONS": "LV"],
                "at most 2000 in 24 hours on average, which may cost 57.90 at the highest price of a region"
            ),
            (
                ["SENDS_PER_PROJECT_PER_HOUR": "2", "GATEWAY_MAIN_PRICES": "*=0.05;+1876=0.2"],
                "at most 96 in 24 hours on average, which may cost 19.20 at the highest price of a region"
            ),
            (
                ["SENDS_PER_PROJECT_PER_DAY": "1000000000", "GATEWAY_MAIN_PRICES": "*=999999999"],
                "at most 12000 in 24 hours on average, which may cost 1000000000000.00 at the highest price of a region"
            ),
            (
                ["GATEWAY_MAIN_PRICES": ""],
                "at most 2000 in 24 hours on average, which cost an unknown amount: no gateway has prices"
            ),
            (
                ["SENDS_PER_PROJECT_PER_HOUR": "0", "SENDS_PER_PROJECT_PER_DAY": "0"],
                "without a limit per project, so they may cost any amount"
            ),
        ] as [([String: String], String)]
    )
    func cost(settings: [String: String], expected: String) throws {
        let own = ["PROJECTS": "acme,other", "PROJECT_OTHER_API_KEYS": "other"]
            .merging(["GATEWAY_MAIN_PRICES": "*=0.05;US=0.0079;LV=0.24"]) { $1 }.merging(settings) { $1 }
        let read = try Self.settings(Self.gateways(own.filter { $0.value != "" }))
        #expect(ConfigurationCommand.Check.messages(of: read.projects, read.policy) == expected)
    }

    @Test("prices are read by prefix, region and default, and caps by region")
    func prices() throws {
        let policy = try Self.settings(
            Self.gateways([
                "GATEWAY_MAIN_PRICES": "*=0.05; US=0.0079; +1876=0.24", "SMS_SPEND_CAPS": "*=20; US=200",
                "SMS_BREAKER": "record", "SMS_LEAST_VERIFIED_PERCENT": "50", "SMS_UNVERIFIED_ALLOWANCE": "7",
            ])
        ).policy.tollFraud
        #expect(policy.mode == .record && policy.leastVerifiedPercent == 50 && policy.unverifiedAllowance == 7)
        let table = NumberTable(
            prefixes: ["+1876": Money(micros: 240_000)],
            regions: ["US": Money(micros: 7900)],
            fallback: Money(micros: 50_000)
        )
        let caps = NumberTable(regions: ["US": Money(micros: 200_000_000)], fallback: Money(micros: 20_000_000))
        #expect(
            policy.prices
                == MessagePrices(prices: ["main": table], caps: caps)
        )
        #expect(try Self.settings().policy.tollFraud == TollFraudPolicy())
    }

    @Test(
        "invalid prices, caps and bounds are reported",
        arguments: [
            (
                ["GATEWAY_MAIN_PRICES": "US=1"],
                #"DIALTONE_GATEWAY_MAIN_PRICES: "US=1": there is no entry for * (all other numbers)"#
            ),
            (
                ["GATEWAY_MAIN_PRICES": "*=1,5"],
                #"DIALTONE_GATEWAY_MAIN_PRICES: "*=1,5": 1,5 is not an amount such as 0.0079"#
            ),
            (
                ["GATEWAY_MAIN_PRICES": "*=-1"],
                #"DIALTONE_GATEWAY_MAIN_PRICES: "*=-1": -1 is not an amount such as 0.0079"#
            ),
            (
                ["SMS_SPEND_CAPS": "*=5"],
                "DIALTONE_GATEWAY_MAIN_PRICES: not set, but required by DIALTONE_SMS_SPEND_CAPS"
            ),
            (
                ["GATEWAY_MAIN_PRICES": "*=1", "SMS_SPEND_CAPS": "*=5;+1=2"],
                #"DIALTONE_SMS_SPEND_CAPS: "*=5;+1=2": a cap is for a region or *, not for a prefix"#
            ),
            (["SMS_BREAKER": "off"], #"DIALTONE_SMS_BREAKER: "off" is not one of on, record"#),
            (
                ["SMS_UNVERIFIED_ALLOWANCE": "1"],
                #"DIALTONE_SMS_UNVERIFIED_ALLOWANCE: "1" is not a number from 2 to 1000000"#
            ),
        ] as [([String: String], String)]
    )
    func wrongPrices(settings: [String: String], expected: String) {
        let failure = #expect(throws: Failure.self) { try Self.settings(Self.gateways(settings)) }
        #expect(failure?.description == expected)
    }

    private static func gateways(_ more: [String: String]) -> [String: String] {
        ["GATEWAYS": "main", "GATEWAY_MAIN_KIND": "file", "GATEWAY_MAIN_FILE": "/tmp/messages"].merging(more) { $1 }
    }

    // MARK: The table in RateLimits.md

    /// Returns the setting and the default of each row.
    private static func table() -> [(setting: String, value: String)] {
        let guide = "\(RunningServer.packageFolder)/Sources/PhoneAuth/PhoneAuth.docc/RateLimits.md"
        return TestServers.readFile(guide).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
            guard line.hasPrefix("|"), cells.count == 5, Int(cells[1]) != nil else { return nil }
            return (cells[3], cells[1])
        }
    }

    @Test("the guide's defaults are the program's, and each setting takes effect")
    func defaults() throws {
        let standard = try Self.settings().policy
        #expect(standard == Policy())
        for (setting, value) in Self.table() {
            #expect(try Self.settings([setting: value]).policy == standard, "\(setting)=\(value)")
            let other = String((Int(value) ?? 0) - 1)
            #expect(try Self.settings([setting: other]).policy != standard, "\(setting)=\(other)")
        }
    }

    @Test("the guide's table contains every limit")
    func complete() {
        let names = SettingsTable.rateLimits.map(\.name)
        #expect(Self.table().map(\.setting).sorted() == (names + ["ATTEMPTS_PER_SESSION"]).sorted())
    }
}
