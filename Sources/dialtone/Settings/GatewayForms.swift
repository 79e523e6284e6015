import Encodings

extension GatewayValues.Kind {
    /// What is wrong with a setting that does not have the form of the provider's values.
    typealias Form = (property: KeyPath<GatewayValues, String?>, fault: SettingFault, isValid: (String) -> Bool)

    /// The forms of settings, so that a start finds faults that the provider would find in the first message.
    var forms: [Form] {
        switch self {
        case .twilio: Self.twilioAccount + [Self.sender { Self.isSender($0) || Self.isSID($0, "MG") }]
        case .twilioVoice:
            Self.twilioAccount + [
                (\.sender, .isNot("a phone number in E.164 form, such as +16505550100"), Self.isE164)
            ]
        case .vonage:
            [
                (\.account, Self.account, { $0.utf8.count <= 32 && $0.utf8.allSatisfy(Self.isLetterOrDigit) }),
                Self.sender(Self.isSender),
            ]
        case .vonageVoice: [(\.sender, .isNot("the digits of a phone number"), { $0.isASCIIDigits })]
        case .whatsApp:
            [
                (\.account, .isNot("the id of a phone number: digits"), { $0.isASCIIDigits && $0.utf8.count <= 32 }),
                (\.template, .isNot("a template's name of lowercase letters, digits and _"), Self.isTemplate),
            ]
        default: []
        }
    }

    private static var account: SettingFault { .because("the account does not have the gateway's format") }

    private static var twilioAccount: [Form] {
        [
            (\.account, account, { isSID($0, "AC") }),
            (\.keyID, .because("the key id is not SK and 32 hexadecimal digits"), { isSID($0, "SK") }),
        ]
    }

    private static func sender(_ isValid: @escaping (String) -> Bool) -> Form {
        (\.sender, .because("the sender is not a phone number, a name or a messaging service"), isValid)
    }

    private static func isSID(_ text: String, _ prefix: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 34 && text.dropFirst(2).utf8.allSatisfy { $0.hexDigitValue != nil }
    }

    /// A number, or an alphanumeric name of at most 11 characters (3GPP TS 23.040 § 9.1.2.5).
    private static func isSender(_ text: String) -> Bool {
        let digits = text.trimmingPrefix("+")
        guard !digits.isASCIIDigits else { return (3...15).contains(digits.utf8.count) }
        return (1...11).contains(text.utf8.count) && text.utf8.contains(where: \.isASCIILetter)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || " -_&.".utf8.contains($0) }
    }

    private static func isE164(_ text: String) -> Bool { text.hasPrefix("+") && isSender(text) }

    private static func isTemplate(_ text: String) -> Bool {
        text.utf8.count <= 512
            && text.utf8.allSatisfy { $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }
}
