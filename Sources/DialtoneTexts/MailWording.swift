/// The wording of mails with an action link in one language. The link follows the text, so each text ends with a colon.
///
/// `{email}` stands for the account's address, `{newEmail}` for a different one. A link that an attacker requested does
/// what the text says, so each text names the address.
public struct MailWording: Sendable, Hashable {
    /// The parts of one kind of mail.
    public struct Phrase: Sendable, Hashable {
        /// The subject, which is also the text of the link.
        public let subject: String
        /// What the link does.
        public let text: String

        init(_ subject: String, _ text: String) {
            self.subject = subject
            self.text = text
        }
    }

    /// A new password.
    public let resetPassword: Phrase
    /// The proof of an address.
    public let verifyEmail: Phrase
    /// A sign-in by link.
    public let signIn: Phrase
    /// Another address for an account; sent to this address.
    public let changeEmail: Phrase
    /// The notice of a changed address; sent to the former address.
    public let recoverEmail: Phrase
    /// The advice to a reader who did not request the mail. A notice has none.
    public let unrequested: String
}

extension Language {
    /// The wording of mails in this language.
    public var mails: MailWording {
        switch self {
        case .english: .english
        case .portuguese: .portuguese
        case .hebrew: .hebrew
        case .traditionalChinese: .traditionalChinese
        case .simplifiedChinese: .simplifiedChinese
        case .spanish: .spanish
        case .italian: .italian
        case .french: .french
        case .german: .german
        case .arabic: .arabic
        case .hindi: .hindi
        case .japanese: .japanese
        case .korean: .korean
        case .russian: .russian
        case .turkish: .turkish
        case .indonesian: .indonesian
        }
    }
}
