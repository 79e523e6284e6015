internal import Encodings

// Test doubles for token parsing, without cryptography: keys accept every signature, so that the code
// stands behind its check is reached, too.

/// Accepts every signature, and passes it to a check.
struct SigningKey: Sendable {
    let verify: @Sendable (_ signature: [UInt8], _ signed: [UInt8]) -> Void

    func isValid(_ signature: [UInt8], for signed: [UInt8]) -> Bool {
        verify(signature, signed)
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

enum AccountID {
    static let maximumCharacters = 128
}

struct Policy: Sendable {
    let development: DevelopmentMode? = nil
}

/// Development mode, which is off.
struct DevelopmentMode: Sendable {
    func presented(_ token: String) -> String { token }
}

struct ProvenSecondFactor: Sendable {
    init?(claims firebase: JSONObject) { return nil }
}

enum SignInProvider: String, Sendable {
    case phone, anonymous, custom, password
}
