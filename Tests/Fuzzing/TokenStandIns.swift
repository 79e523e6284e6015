internal import Encodings

// What the readers of tokens ask for beside their text, without cryptography: keys take every signature, so that what stands
// behind its check is reached, too.

/// Takes every signature, and shows it to a judge.
struct SigningKey: Sendable {
    let judge: @Sendable (_ signature: [UInt8], _ signed: [UInt8]) -> Void

    func isValid(_ signature: [UInt8], for signed: [UInt8]) -> Bool {
        judge(signature, signed)
        return true
    }
}

/// One key, of which any key id is the name.
struct ServerKeys: Sendable {
    let key: SigningKey

    func signingKey(_ id: String) -> SigningKey? { key }
}

struct ServiceAccount: Sendable {
    let email: String
    let key: SigningKey

    func isValid(_ signature: [UInt8], for signed: [UInt8]) -> Bool { key.isValid(signature, for: signed) }
}

enum CustomTokenIssuers: Sendable {
    case serviceAccounts([ServiceAccount])
    case anyoneUnverified
}

struct Project: Sendable {
    let id: String
}

struct Policy: Sendable {
    static let maximumUIDCharacters = 128
    let issuerPrefix = "https://securetoken.google.com/"
}

enum SignInProvider: String, Sendable {
    case phone, anonymous, custom, password
}
