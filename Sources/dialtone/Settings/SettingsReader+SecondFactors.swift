import PhoneAuth

/// Whether users have second factors.
extension SettingsReader {
    /// In development mode who enrols one is asked for it, as with the reference emulator.
    func secondFactors(of project: String, isDevelopment: Bool) throws(Failure) -> SecondFactorPolicy {
        let state = try choice(
            "project.\(project).secondFactors",
            ["off": SecondFactorPolicy.State.off, "optional": .optional, "required": .required],
            or: isDevelopment ? .optional : .off
        )
        let kindsKey = "project.\(project).secondFactorKinds"
        let kinds = source.text(kindsKey) == nil ? ["sms", "totp"] : Set(source.list(kindsKey))
        guard !kinds.isEmpty, kinds.isSubset(of: ["sms", "totp"]) else { throw wrong(kindsKey, "sms, totp or both") }
        let intervals = try number(
            "project.\(project).totpAdjacentIntervals",
            in: 0...SecondFactorPolicy.maximumAdjacentIntervals,
            or: 1
        )
        return SecondFactorPolicy(
            state: state,
            allowsSMS: kinds.contains("sms"),
            adjacentIntervals: kinds.contains("totp") ? intervals : nil
        )
    }
}
