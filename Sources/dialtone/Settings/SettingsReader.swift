import FastCGI
import PhoneAuth

/// Turns texts into values, and says which setting is wrong and what it should be.
struct SettingsReader {
    let source: SettingsSource

    func required(_ key: String) throws(Failure) -> String {
        guard let text = source.text(key) else { throw Failure("\(SettingName.shown(key)): is missing") }
        return text
    }

    func number(_ key: String, in range: ClosedRange<Int>, or standard: Int) throws(Failure) -> Int {
        guard let text = source.text(key) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw wrong(key, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Value>(_ key: String, _ choices: [String: Value], or standard: Value) throws(Failure) -> Value {
        guard let text = source.text(key) else { return standard }
        guard let value = choices[text] else {
            throw wrong(key, "one of " + choices.keys.sorted().joined(separator: ", "))
        }
        return value
    }

    func isEnabled(_ key: String, or standard: Bool) throws(Failure) -> Bool {
        try choice(key, ["enabled": true, "disabled": false], or: standard)
    }

    // MARK: Connections

    func listenAddress() throws(Failure) -> ListenAddress {
        let text = source.text("listen") ?? "systemd"
        do {
            return try ListenAddress(parsing: text)
        } catch {
            throw wrong("listen", "unix:/path, tcp:host:port, fd:number or systemd")
        }
    }

    // MARK: Policy

    func policy() throws(Failure) -> Policy {
        var policy = Policy()
        policy.sessionLifetime = try seconds("sessionSeconds", in: 60...600, or: policy.sessionLifetime)
        policy.lockLifetime = try seconds("lockSeconds", in: 1...600, or: policy.lockLifetime)
        policy.tombstoneLifetime = try seconds("tombstoneSeconds", in: 1...86_400, or: policy.tombstoneLifetime)
        let idleDays = policy.refreshTokenIdleLifetime.components.seconds / 86_400
        policy.refreshTokenIdleLifetime = .seconds(
            try number("refreshTokenIdleDays", in: 1...3650, or: Int(idleDays)) * 86_400
        )
        policy.rotatesRefreshTokens = try isEnabled("refreshTokenRotation", or: policy.rotatesRefreshTokens)
        policy.refreshTokenGrace = try seconds("refreshTokenGraceSeconds", in: 1...3600, or: policy.refreshTokenGrace)
        policy.recentSignIn = try seconds("recentSignInSeconds", in: 60...86_400, or: policy.recentSignIn)
        policy.attemptsPerSession = try number("attemptsPerSession", in: 1...10, or: policy.attemptsPerSession)
        try readLimits(into: &policy)
        policy.pushTimeout = try seconds("pushTimeoutSeconds", in: 1...60, or: policy.pushTimeout)
        let receiptDays = policy.pushReceiptLifetime.components.seconds / 86_400
        policy.pushReceiptLifetime = .seconds(
            try number("pushReceiptDays", in: 1...365, or: Int(receiptDays)) * 86_400
        )
        policy.publicKeyCacheLifetime = try seconds(
            "publicKeyCacheSeconds",
            in: 1...86_400,
            or: policy.publicKeyCacheLifetime
        )
        let auditDays = policy.auditRetention.components.seconds / 86_400
        policy.auditRetention = .seconds(try number("auditDays", in: 0...3650, or: Int(auditDays)) * 86_400)
        policy.auditEvents = try number("auditMaximumEvents", in: 1000...1_000_000_000, or: policy.auditEvents)
        policy.issuerPrefix = source.text("issuerPrefix") ?? policy.issuerPrefix
        return policy
    }

    /// What development mode allows. In production there is no such policy, and a setting that asks for it is refused.
    func development(_ isDevelopment: Bool) throws(Failure) -> DevelopmentPolicy? {
        let key = "developmentTokens"
        let isUnsigned = try choice(key, ["signed": false, "unsigned": true], or: false)
        guard !isDevelopment else { return DevelopmentPolicy(issuesUnsignedTokens: isUnsigned) }
        guard !isUnsigned else { throw wrong(key, "signed: unsigned tokens exist in development mode only") }
        return nil
    }

    func seconds(
        _ key: String,
        in range: ClosedRange<Int>,
        or standard: Duration
    ) throws(Failure) -> Duration {
        .seconds(try number(key, in: range, or: Int(standard.components.seconds)))
    }

    func wrong(_ key: String, _ expected: String) -> Failure {
        Failure("\(SettingName.shown(key)): expected \(expected)")
    }
}
