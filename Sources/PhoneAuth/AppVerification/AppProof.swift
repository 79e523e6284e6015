public import Encodings

/// Proof that a request may have a message sent. Only `ProveApp.swift` creates it, from a verified credential, and
/// `SendVerificationCode.swift` for a test number.
struct AppProof: Sendable {
    enum Grounds: Equatable, Sendable {
        /// Development mode: every request counts as proven, as with the reference emulator.
        case developmentMode
        /// Test numbers need no proof: they cost nothing and reach no one.
        case testNumber
        /// The device received a silent push that was meant for the app.
        case pushReceipt(DeviceIdentity)
        /// Google vouches for the app and its device.
        case playIntegrity
        /// The client solved a challenge, hard or not.
        case challenge(isHard: Bool)

        /// The name for operators.
        var name: String {
            switch self {
            case .developmentMode: "development mode"
            case .testNumber: "not required for a test number"
            case .pushReceipt: "push receipt"
            case .playIntegrity: "Play Integrity"
            case .challenge(let isHard): isHard ? "hard challenge" : "challenge"
            }
        }
    }

    let grounds: Grounds

    /// Whether a client could not give a harder proof.
    var isHard: Bool {
        switch grounds {
        case .developmentMode, .challenge(isHard: true): true
        case .testNumber, .pushReceipt, .playIntegrity, .challenge(isHard: false): false
        }
    }

    /// Returns what the client's sessions are bound to: the most specific identifier of the client.
    func binding(of client: ClientBinding) -> ClientBinding {
        if case .pushReceipt(let device) = grounds { .device(device) } else { client }
    }
}

/// Why a request does not count as the operator's own app.
public enum AppProofFailure: Error, Equatable {
    /// The request has no credential.
    case missing
    /// The request has an invalid credential.
    case invalid(InvalidAppCredential)
    /// The request has an invalid credential of the platform, but the app can prove itself through the challenge page.
    case challengeNeeded(InvalidAppCredential)
}

/// The credential of a request and what is needed to verify it.
public struct AppProofRequest: Sendable, Confidential {
    /// The credential that proves the app.
    var credential: AppCredential
    /// The app that sends the request.
    var app: ClientApp
    /// The client's network address in text form.
    var networkAddress: String
    /// The subject of the request, in each form that the app may know: a Play Integrity token is bound to one of them.
    /// If there are none, no Play Integrity token is accepted.
    var subjects: [String] = []

    /// Creates a request to verify a credential.
    public init(credential: AppCredential, app: ClientApp, networkAddress: String) {
        self.credential = credential
        self.app = app
        self.networkAddress = networkAddress
    }
}

/// The credential in a request, which proves that the request comes from the operator's own app.
public enum AppCredential: Sendable, Equatable, Confidential {
    /// No credential.
    case absent
    /// The receipt and secret of a silent push.
    case pushReceipt(receipt: String, secret: String)
    /// The token of a solved challenge: ours, or a third-party provider's from a web app.
    case challengeToken(String)
    /// An Android app's Play Integrity token.
    case playIntegrityToken(String)
    /// A SafetyNet token; Google has shut SafetyNet down.
    case safetyNetToken
}

/// The app that a request comes from, as it claims in its headers. A challenge token is valid only for the app that
/// solved the challenge.
public enum ClientApp: Hashable, Sendable {
    /// The iOS app with this bundle id.
    case iOS(bundleID: String)
    /// The Android app with this package name.
    case android(packageName: String)
    /// A web app.
    case web

    /// The holder's name in Redis.
    var text: String {
        switch self {
        case .iOS(let bundleID): "app:\(bundleID)"
        case .android(let packageName): "android:\(packageName)"
        case .web: "web"
        }
    }
}

/// The platform of the requesting app, as the app claims it; decides the wording of errors.
public enum AppPlatform: Sendable {
    case iOS, android, web
}
