/// What the reference emulator lets tests change at run time.
public struct EmulatorConfig: Sendable, Equatable {
    /// `signIn.allowDuplicateEmails`.
    public var allowDuplicateEmails: Bool
    /// `emailPrivacyConfig.enableImprovedEmailPrivacy`.
    public var enableImprovedEmailPrivacy: Bool

    /// A configuration; the emulator's defaults are both off.
    public init(allowDuplicateEmails: Bool = false, enableImprovedEmailPrivacy: Bool = false) {
        self.allowDuplicateEmails = allowDuplicateEmails
        self.enableImprovedEmailPrivacy = enableImprovedEmailPrivacy
    }
}
