import FastCGI
import PhoneAuth
import Redis
import RedisScripts
import SMSGateways

/// Checks of settings that are valid one by one.
enum SettingsChecks {
    // MARK: Texts

    /// Returns findings about values that are written as in another format: the settings file has no quotes, no
    /// comments behind values, and no way to see an invisible character.
    static func findings(_ source: SettingsSource) -> [Finding] {
        let wrong = source.names.compactMap { name, place in
            source.text(name).flatMap { slip(in: $0) }.map { slip in
                Finding(
                    .advice,
                    name,
                    "the value \(slip.text), which belongs to it: texts, names and secrets contain it",
                    remedy: "\(place): remove \(slip.part)"
                )
            }
        }
        return wrong.isEmpty ? [.fine("values", "\(source.names.count) without quotes and comments")] : wrong
    }

    private static func slip(in value: String) -> (text: String, part: String)? {
        if value.count > 1, let first = value.first, "\"'“”’`".contains(first), value.last == first || first == "“" {
            return ("is in quotes", "the quotes")
        }
        if value.hasPrefix("#") || value.contains(" #") || value.contains("\t#") {
            return ("contains what looks like a comment", "the comment, or write it on a line of its own")
        }
        if value.first?.isWhitespace == true || value.last?.isWhitespace == true {
            return ("begins or ends with a space", "the space")
        }
        let isInvisible = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            case .spaceSeparator: scalar != " "
            default: false
            }
        }
        return value.unicodeScalars.contains(where: isInvisible)
            ? ("contains an invisible character", "it: type the value instead of pasting it") : nil
    }

    // MARK: Contradictions

    /// Returns findings about settings that contradict each other.
    static func findings(_ settings: Settings) -> [Finding] {
        let policy = settings.policy
        return [
            limit(\.sendsPerNumberPerHour, \.sendsPerNumberPerDay, policy),
            limit(\.sendsPerAppCredentialPerHour, \.sendsPerAppCredentialPerDay, policy),
            limit(\.sendsPerProjectPerHour, \.sendsPerProjectPerDay, policy),
            limit(\.newAccountsPerNetworkPerDay, \.signUpsPerProjectPerDay, policy, share: 10),
            limit(\.wrongCodesBeforeWait, \.wrongCodesPerNumber, policy, isOrderedStrictly: true),
            time(
                DeploymentValues.name(of: \.policy.lockLifetime),
                policy.lockLifetime,
                atMost: policy.verificationLifetime,
                "a client that asks again gets the session of a code that has expired",
                of: DeploymentValues.name(of: \.policy.verificationLifetime)
            ),
            time(
                DeploymentValues.name(of: \.redis.commandTimeout),
                settings.redis.commandTimeout,
                atMost: settings.requestDeadline - .seconds(1),
                "a request is answered with 503 before its command can be repeated",
                of: "\(DeploymentValues.name(of: \.requestDeadline)) less a second"
            ),
            mode(settings),
        ] + receipts(settings) + delivery(settings) + reminders(settings)
    }

    /// Checks that the smaller of two limits can take effect. Zero means that there is no limit.
    private static func limit(
        _ small: WritableKeyPath<Policy, Int>,
        _ large: WritableKeyPath<Policy, Int>,
        _ policy: Policy,
        share: Int = 1,
        isOrderedStrictly: Bool = false
    ) -> Finding {
        func name(_ path: WritableKeyPath<Policy, Int>) -> String {
            DeploymentValues.name(of: (\DeploymentValues.policy).appending(path: path))
        }
        let (value, bound) = (policy[keyPath: small], policy[keyPath: large])
        let most = bound / share - (isOrderedStrictly ? 1 : 0)
        let text = "\(value), with \(name(large))=\(bound)"
        guard value > most, value > 0, bound > 0 else { return .fine(name(small), text) }
        return Finding(
            .advice,
            name(small),
            "\(text): it has no effect, because the other limit is reached first",
            remedy: "\(name(small))=\(max(1, most)) or less, or a larger \(name(large))"
        )
    }

    private static func time(
        _ name: String,
        _ value: Duration,
        atMost bound: Duration,
        _ effect: String,
        of other: String
    ) -> Finding {
        guard value > bound else { return .fine(name, "\(value)") }
        let text = "\(value) is longer than \(other) (\(bound)): \(effect)"
        return Finding(.advice, name, text, remedy: "reduce it")
    }

    private static func mode(_ settings: Settings) -> Finding {
        let name = "DIALTONE_MODE"
        guard settings.mode == .development else { return .fine(name, settings.mode.rawValue) }
        let isService = settings.listen == .systemd
        return Finding(
            isService ? .critical : .advice,
            name,
            "development: anyone can read verification codes and sign in as any user",
            remedy: "remove \(name), unless this machine has no real users"
        )
    }

    private static func receipts(_ settings: Settings) -> [Finding] {
        settings.gateways.gateways.compactMap { gateway in
            gateway.receipts.map { receipts in
                time(
                    GatewayValues.name(of: \.receiptTime, prefix: SettingName.gateway(gateway.name.text)),
                    receipts.time,
                    atMost: settings.policy.verificationLifetime / 2,
                    "the code expires before the next gateway could deliver it",
                    of: "half of \(DeploymentValues.name(of: \.policy.verificationLifetime))"
                )
            }
        }
    }

    private static func delivery(_ settings: Settings) -> [Finding] {
        let name = DeploymentValues.name(of: \.gateways)
        guard settings.mode == .production, settings.projects.contains(where: \.isPhoneSignInEnabled) else { return [] }
        guard settings.gateways.routes != nil else {
            let text = "empty: text messages stay in the outbox, and only test numbers can sign in"
            return [Finding(.advice, name, text, remedy: "\(name)=…, as in dialtone config example")]
        }
        let files = settings.gateways.gateways.filter { if case .file = $0.kind { true } else { false } }
        guard let file = files.first else { return [.fine(name, "\(settings.gateways.gateways.count) gateways")] }
        let text = "\(file.name) writes codes to a file: no user receives them"
        return [Finding(.advice, name, text, remedy: "another kind of gateway, before there are users")]
    }

    /// The reminders of `dialtone config check`.
    private static func reminders(_ settings: Settings) -> [Finding] {
        typealias Check = ConfigurationCommand.Check
        let reminders: [(subject: String, texts: [String])] =
            [
                ("defaults of Redis", Check.reminders(of: settings.redis)),
                ("rate limits", Check.reminders(of: settings.policy)),
            ] + settings.projects.map { ("project \($0.id)", Check.reminders(of: $0)) }
        return reminders.flatMap { subject, texts in
            texts.isEmpty ? [.fine(subject, "decided")] : texts.map { Finding(.advice, subject, $0) }
        }
    }
}
