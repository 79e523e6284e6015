internal import RedisStore

/// Evidence that a request may have a message sent: only ``Authenticator`` makes it, from a credential that it has checked.
struct AppProof: Sendable {
    enum Grounds: Equatable, Sendable {
        /// Every request counts as proven there, as with the reference emulator.
        case developmentMode
        /// Test numbers need no proof: they cost nothing and reach nobody.
        case testNumber
        /// The device received a silent push that was meant for the app.
        case pushReceipt(PushReceiptID, of: DeviceIdentity?)
        /// A challenge was solved; a hard one, or one that is not.
        case challenge(isHard: Bool)

        /// A few words for operators.
        var name: String {
            switch self {
            case .developmentMode: "development mode"
            case .testNumber: "none, as it is a test number"
            case .pushReceipt: "push receipt"
            case .challenge(let isHard): isHard ? "hard challenge" : "challenge"
            }
        }
    }

    let grounds: Grounds

    /// Whether there is nothing harder that a client could do.
    var isHard: Bool {
        switch grounds {
        case .developmentMode, .challenge(isHard: true): true
        case .testNumber, .pushReceipt, .challenge(isHard: false): false
        }
    }

    /// What the client's sessions are bound to: the best name that there is for it.
    func binding(of client: ClientBinding) -> ClientBinding {
        guard case .pushReceipt(let receipt, let device) = grounds else { return client }
        return device.map { .device($0) } ?? .pushReceipt(receipt)
    }
}

/// Why a request does not count as the operator's own app.
public enum AppProofFailure: Error, Equatable {
    /// There was no credential.
    case missing
    /// There was one, and it is not good.
    case invalid(InvalidAppCredential)
}

/// What is wrong with an app credential. The client learns that it is not good; the log, why.
public enum InvalidAppCredential: String, Error {
    /// The request names no app that is registered in the project.
    case appUnknown = "the bundle id is not registered in the project"
    /// The receipt is none of ours, or the secret is not the receipt's for this app.
    case secretWrong = "receipt and secret do not belong together, or to another app"
    /// The receipt has expired or was revoked.
    case receiptUnknown = "the receipt has expired or was revoked"
    /// The token was used, has expired, or is another app's.
    case challengeTokenUnknown = "the challenge token was used, has expired or is another app's"
    /// The client's network had as many tokens checked as it may; the provider was not asked.
    case tooManyProviderChecks = "the network had too many tokens checked by the challenge's provider"
    /// The challenge's provider does not know the token.
    case providerRefused = "the challenge's provider refused the token"
    /// The challenge was solved on another page than the project's.
    case solvedElsewhere = "the challenge was solved on a page that is not of the project's authorized domains"
    /// The challenge's provider did not say.
    case providerUnavailable = "the challenge's provider did not answer"
    /// Nothing here can check it.
    case attestationUnsupported = "Play Integrity and SafetyNet are not supported"
}
