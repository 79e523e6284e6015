public import Foundation

/// What the link in an e-mail does.
public enum ActionCodeOperation: Int, Sendable {
    /// None of the others.
    case unknown = 0
    /// Sets a new password.
    case passwordReset = 1
    /// Verifies the account's address.
    case verifyEmail = 2
    /// Restores the address that the account had before.
    case recoverEmail = 3
    /// Signs in.
    case emailLink = 4
    /// Verifies a new address, and replaces the account's.
    case verifyAndChangeEmail = 5
    /// Removes a second factor.
    case revertSecondFactorAddition = 6

    private static let words: [String: Self] = [
        "resetPassword": .passwordReset, "PASSWORD_RESET": .passwordReset,
        "verifyEmail": .verifyEmail, "VERIFY_EMAIL": .verifyEmail,
        "recoverEmail": .recoverEmail, "RECOVER_EMAIL": .recoverEmail,
        "signIn": .emailLink, "EMAIL_SIGNIN": .emailLink,
        "verifyAndChangeEmail": .verifyAndChangeEmail, "VERIFY_AND_CHANGE_EMAIL": .verifyAndChangeEmail,
        "revertSecondFactorAddition": .revertSecondFactorAddition,
        "REVERT_SECOND_FACTOR_ADDITION": .revertSecondFactorAddition,
    ]

    /// Creates the operation of a link's `mode`, or of a response's `requestType`.
    init(_ word: String?) { self = word.flatMap { Self.words[$0] } ?? .unknown }
}

/// What is known about an action code that was not used yet.
public final class ActionCodeInfo: NSObject, Sendable {
    /// What the code does.
    public let operation: ActionCodeOperation
    /// The address that the account will have. Empty for ``ActionCodeOperation/emailLink``: whoever has the link must
    /// know the address.
    public let email: String
    /// The address that will be replaced; nil if the code replaces none.
    public let previousEmail: String?

    init(_ response: ActionCodeResponse) {
        operation = ActionCodeOperation(response.requestType)
        email = response.newEmail ?? response.email ?? ""
        previousEmail = response.newEmail == nil ? nil : response.email
    }
}

/// The link in an e-mail, taken apart.
public final class ActionCodeURL: NSObject, Sendable {
    /// The project's API key.
    public let apiKey: String?
    /// What the link does.
    public let operation: ActionCodeOperation
    /// The action code. It must not reach logs.
    public let code: String?
    /// The page that the user reaches afterwards.
    public let continueURL: URL?
    /// The language of the e-mail.
    public let languageCode: String?

    /// Takes a link apart; returns nil if it has no query.
    public init?(link: String) {
        guard let items = URLComponents(string: link)?.queryItems, !items.isEmpty else { return nil }
        func value(_ name: String) -> String? { items.last { $0.name == name }?.value }
        apiKey = value("apiKey")
        operation = ActionCodeOperation(value("mode"))
        code = value("oobCode")
        continueURL = value("continueUrl").flatMap(URL.init)
        languageCode = value("lang")
    }
}

extension ActionCodeURL: CustomReflectable {
    /// Empty, because codes must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ActionCodeInfo: CustomReflectable {
    /// Empty, because addresses must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
