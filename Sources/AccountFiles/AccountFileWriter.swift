internal import Encodings
internal import Passwords
public import PhoneAuth
internal import Synchronization

/// A writer of accounts in a file format. Thread-safe.
///
/// Some data is omitted and counted:
///
/// - Password hashes in Firebase's format, unless they use Firebase's algorithm with the parameters of the first such
///   hash. The format has one set of parameters, which is stored beside the file.
/// - All second factors in Firebase's format, which cannot represent them.
/// - Secrets of authenticator apps in Dialtone's format, if they are not exported. Such apps count as omitted.
public final class AccountFileWriter: Sendable {
    private let format: AccountFileFormat
    private let hashParameters = Mutex<FirebaseHashParameters?>(nil)

    /// Creates a writer for one file.
    public init(_ format: AccountFileFormat) {
        self.format = format
    }

    /// The text at the beginning of the file.
    public var beginning: String { format == .firebase ? "{\"users\": [\n" : "" }
    /// The text between two pages.
    public var separator: String { format == .firebase ? ",\n" : "\n" }
    /// Returns the text at the end of the file; `isEmpty` if the file has no account.
    public func end(isEmpty: Bool) -> String {
        switch format {
        case .jsonLines: isEmpty ? "" : "\n"
        case .firebase: isEmpty ? "]}\n" : "\n]}\n"
        }
    }

    /// Returns the text of several accounts.
    public func page(_ accounts: [ExportedAccount]) -> AccountFilePage {
        var text: [UInt8] = []
        text.reserveCapacity(accounts.count * 512)
        var omittedPasswordCount = 0
        var omittedSecondFactorCount = 0
        for (index, exported) in accounts.enumerated() {
            if index > 0 { text += Array(separator.utf8) }
            let hash = hash(of: exported)
            if hash == nil, exported.account.hasPassword { omittedPasswordCount += 1 }
            omittedSecondFactorCount += exported.secondFactors.count { !isWritten($0) }
            text += JSONWriter.object { json in
                switch format {
                case .jsonLines:
                    json.ownAccount(exported.account, hash)
                    json.secondFactors(exported.secondFactors)
                case .firebase: json.firebaseAccount(exported.account, hash)
                }
            }
        }
        return AccountFilePage(
            text: text,
            accountCount: accounts.count,
            omittedPasswordCount: omittedPasswordCount,
            omittedSecondFactorCount: omittedSecondFactorCount
        )
    }

    /// Returns whether an import can recreate the factor from the file.
    private func isWritten(_ exported: ExportedSecondFactor) -> Bool {
        format == .jsonLines && (exported.factor.kind != .totp || exported.secret != nil)
    }

    private func hash(of exported: ExportedAccount) -> WrittenHash? {
        switch (format, exported.password) {
        case (.jsonLines, let password?):
            return WrittenHash(hash: password.text, salt: nil)
        case (.firebase, .firebaseScrypt(let hash)):
            let parameters = hashParameters.withLock { first in
                first = first ?? hash.parameters
                return first
            }
            guard parameters == hash.parameters else { return nil }
            return WrittenHash(hash: Base64.encode(hash.hash), salt: Base64.encode(hash.salt))
        case (_, nil), (.firebase, _):
            return nil
        }
    }
}

/// The format of an exported account file. `AccountFiles.docc` describes both formats.
public enum AccountFileFormat: String, Sendable, CaseIterable {
    /// Dialtone's own format: one account per line, with all its data.
    case jsonLines = "json-lines"
    /// The format of the Firebase CLI's `auth:export` and `auth:import`: an object with the member `users`.
    case firebase
}

/// The text of several accounts in a file.
public struct AccountFilePage: Sendable {
    /// The text. The caller writes ``AccountFileWriter/separator`` between two pages that are not empty.
    public let text: [UInt8]
    /// The number of accounts.
    public let accountCount: Int
    /// The number of accounts whose password is not in the text.
    public let omittedPasswordCount: Int
    /// The number of second factors that are not in the text.
    public let omittedSecondFactorCount: Int
}

/// A password hash as written to a file.
struct WrittenHash {
    let hash: String
    let salt: String?
}

extension JSONWriter {
    /// Writes an account in Dialtone's format, with all its data.
    mutating func ownAccount(_ account: Account, _ hash: WrittenHash?) {
        common(account, hash)
        member(.createdAt, account.createdAt.milliseconds)
        if let time = account.lastLoginAt { member(.lastLoginAt, time.milliseconds) }
        if let time = account.passwordUpdatedAt { member(.passwordUpdatedAt, time.milliseconds) }
        if let seconds = account.revokedAt { member(.validSince, seconds) }
    }

    /// Writes an account as the Firebase CLI accepts it. The CLI rejects unknown members. `providerUserInfo` lists
    /// other providers only, so it is empty.
    mutating func firebaseAccount(_ account: Account, _ hash: WrittenHash?) {
        common(account, hash)
        member(.createdAt, String(account.createdAt.milliseconds))
        if let time = account.lastLoginAt { member(.lastSignedInAt, String(time.milliseconds)) }
        array(AccountField.providerUserInfo.rawValue) { _ in }
    }

    private mutating func common(_ account: Account, _ hash: WrittenHash?) {
        member(.localId, account.uid)
        if let number = account.phoneNumber { member(.phoneNumber, number) }
        if let email = account.email {
            member(.email, email)
            member(AccountField.emailVerified.rawValue, account.isEmailVerified)
        }
        if let hash {
            member(.passwordHash, hash.hash)
            if let salt = hash.salt { member(.salt, salt) }
        }
        if let name = account.displayName { member(AccountField.displayName, name) }
        if let url = account.photoURL { member(.photoUrl, url) }
        if let claims = account.customClaims { member(.customAttributes, claims.text) }
        member(AccountField.disabled.rawValue, account.isDisabled)
    }

    private mutating func member(_ field: AccountField, _ text: String) { member(field.rawValue, text) }

    private mutating func member(_ field: AccountField, _ number: Int64) { member(field.rawValue, number) }
}

extension JSONWriter {
    /// Writes second factors in Dialtone's format.
    mutating func secondFactors(_ factors: [ExportedSecondFactor]) {
        guard !factors.isEmpty else { return }
        array(AccountField.mfaInfo.rawValue) { json in
            for factor in factors { json.object { $0.secondFactor(factor) } }
        }
    }

    private mutating func secondFactor(_ exported: ExportedSecondFactor) {
        let factor = exported.factor
        member(.mfaEnrollmentId, factor.id)
        if let name = factor.displayName { member(SecondFactorField.displayName, name) }
        member(.enrolledAt, factor.enrolledAt.rfc3339)
        switch factor.kind {
        case .phone(let number): member(.phoneInfo, number)
        case .totp:
            // The app is written even without its secret. An import then keeps the app if the account has it, and
            // otherwise rejects the account, which would be less secure without the factor.
            object(SecondFactorField.totpInfo.rawValue) { json in
                if let secret = exported.secret { json.member(TOTPField.sharedSecretKey.rawValue, secret) }
            }
        }
    }

    private mutating func member(_ field: SecondFactorField, _ text: String) { member(field.rawValue, text) }
}
