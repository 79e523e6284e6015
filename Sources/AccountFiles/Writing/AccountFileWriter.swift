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
