internal import Encodings

// Test doubles for token parsing, without cryptography. Keys accept every signature, so that the code after the
// signature check is fuzzed, too.

/// Accepts every signature, and passes the signature to a check.
struct SigningKey: Sendable {
    let verify: @Sendable (_ signature: [UInt8], _ signed: [UInt8]) -> Void

    func isValid(_ signature: [UInt8], for signed: [UInt8]) -> Bool {
        verify(signature, signed)
        return true
    }
}

/// A single key, whatever the key id.
struct ServerKeys: Sendable {
    let key: SigningKey

    func signingKey(_ id: String) -> SigningKey? { key }
}

struct ServiceAccount: Sendable {
    let email: String
    let key: SigningKey
}

extension CompactJWT {
    func isSigned(by account: ServiceAccount) -> Bool { isSigned(by: account.key) }
}

enum CustomTokenIssuers: Sendable {
    case serviceAccounts([ServiceAccount])
    case anyoneUnverified
}

struct Project: Sendable {
    let id: String
}

enum AccountID {
    static let rule = "1 to 128 characters without control characters"

    static func isLegal(_ id: String) -> Bool { (1...128).contains(id.unicodeScalars.count) }
}

struct Policy: Sendable {
    let development: DevelopmentMode? = nil
}

/// Development mode, which is disabled.
struct DevelopmentMode: Sendable {
    func presented(_ token: String) -> String { token }
}

struct ProvenSecondFactor: Sendable {
    init?(claims firebase: JSONObject) { return nil }
}

enum SignInProvider: String, Sendable {
    case phone, anonymous, custom, password
}
