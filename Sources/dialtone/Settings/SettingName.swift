/// The names that settings have in the file and in the environment.
enum SettingName {
    /// How the setting `redis.address` is called there: `DIALTONE_REDIS_ADDRESS`.
    static func shown(_ key: String) -> String {
        var name = "DIALTONE_"
        var previous: Character = "."
        for character in key {
            if character.isUppercase && previous.isLowercase { name.append("_") }
            name.append(character.isLetter || character.isNumber ? character.uppercased() : "_")
            previous = character
        }
        return name
    }

    static func isKnown(_ name: String) -> Bool {
        known.contains(name) || isOfProject(name) || isOfGateway(name)
    }

    /// Whether a name is a setting of some project.
    static func isOfProject(_ name: String) -> Bool {
        name.hasPrefix("DIALTONE_PROJECT_") && (projectSettings + appSettings).contains { name.hasSuffix("_" + $0) }
    }

    /// Whether a name is a setting of this project or of one of its apps.
    static func isOfProject(_ name: String, _ id: String, apps: [String]) -> Bool {
        projectSettings.contains { name == shown("project.\(id)") + "_" + $0 }
            || apps.contains { app in appSettings.contains { name == shown("project.\(id).app.\(app)") + "_" + $0 } }
    }

    /// Whether a name is a setting of some gateway.
    static func isOfGateway(_ name: String) -> Bool {
        name.hasPrefix("DIALTONE_GATEWAY_") && !known.contains(name)
            && gatewaySettings.contains { name.hasSuffix("_" + $0) }
    }

    /// Whether a name is a setting of this gateway.
    static func isOfGateway(_ name: String, _ gateway: String) -> Bool {
        gatewaySettings.contains { name == shown("gateway.\(gateway)") + "_" + $0 }
    }

    private static let known = Set(
        [
            "mode", "developmentTokens", "keyFile", "projects", "listen", "threads", "activeThreads", "maxBodyBytes",
            "requestDeadlineSeconds", "drainSeconds", "adminRoutes", "adminTokenUrls",
            "redis.address", "redis.user", "redis.password", "redis.database", "redis.connectTimeoutMilliseconds",
            "redis.commandTimeoutMilliseconds", "redis.replicasBeforeAnswer", "redis.replicaTimeoutMilliseconds",
            "shards", "sessionSeconds", "lockSeconds", "tombstoneSeconds",
            "refreshTokenIdleDays", "refreshTokenRotation", "refreshTokenGraceSeconds", "recentSignInSeconds",
            "attemptsPerSession", "sendsPerNumberPerHour", "sendsPerNumberPerDay",
            "sendsPerNetworkPerHour", "sendsPerAppCredentialPerHour", "sendsPerAppCredentialPerDay",
            "sendsPerProjectPerDay", "sendsPerHour", "sendsPerDay", "wrongCodesPerNumber", "wrongCodesBeforeWait",
            "longestWrongCodeWaitSeconds", "wrongPasswordsPerEmailAndNetworkPerHour", "wrongPasswordsPerEmailPerDay",
            "wrongPasswordsPerNetworkPerHour", "pushesPerNetworkPerHour",
            "signUpsPerNetworkPerHour", "newAccountsPerNetworkPerDay", "signUpsPerProjectPerDay",
            "customTokenSignUpsPerProjectPerDay", "passwordHashesPerNetworkPerHour",
            "issuerPrefix", "publicKeyCacheSeconds", "logLevel", "auditDays", "auditMaximumEvents",
            "pushTimeoutSeconds", "pushReceiptDays",
            "pushesPerDevicePerHour",
            "apns.productionUrl", "apns.sandboxUrl", "apns.trustFile", "gateways",
            "gatewayRoutes", "gatewayTrustFile", "receiptUrl", "smsBreaker", "smsLeastVerifiedPercent",
            "smsUnverifiedAllowance", "smsSpendCaps", "blockingHookTrustFile",
        ].map(shown)
    )

    private static let projectSettings = [
        "NAME", "NUMBER", "API_KEYS", "AUTHORIZED_DOMAINS", "APPS", "CHALLENGE", "CHALLENGE_SITE_KEY",
        "CHALLENGE_SECRET", "CHALLENGE_VERIFY_URL", "MESSAGE_FILE", "PHONE_SIGN_IN", "ANONYMOUS_SIGN_IN",
        "AUTODELETE_ANONYMOUS_USERS", "ANONYMOUS_USER_DAYS",
        "PASSWORD_SIGN_IN", "SIGN_UP_APP_PROOF", "EMAIL_ENUMERATION_PROTECTION", "RECENT_SIGN_IN_TO_LINK",
        "SERVICE_ACCOUNT_FILES",
        "SMS_ALLOWED_REGIONS",
        "SMS_DISALLOWED_REGIONS",
        "SMS_UNASSIGNED_NUMBERS",
        "BEFORE_CREATE_URL", "BEFORE_SIGN_IN_URL", "BEFORE_SECOND_FACTOR_ENROLLMENT_URL",
        "RECYCLED_NUMBER_DAYS",
        "RECYCLED_NUMBER_POLICY",
        "SECOND_FACTORS", "SECOND_FACTOR_KINDS", "TOTP_ADJACENT_INTERVALS",
    ]

    private static let gatewaySettings = [
        "KIND", "ACCOUNT", "KEY_ID", "SECRET", "SENDER", "URL", "FILE", "RECEIPT_SECONDS", "RECEIPT_SECRET",
        "RECEIPT_PROOF", "PRICES",
    ]

    private static let appSettings = [
        "BUNDLE_ID", "APP_ID", "CLIENT_ID", "APNS_KEY_FILE", "APNS_KEY_ID", "APNS_TEAM_ID", "APNS_CERTIFICATE_FILE",
        "PACKAGE_NAME", "RETRIEVER_HASHES",
    ]
}
