internal import Encodings
internal import Passwords
public import PhoneAuth
internal import Synchronization

/// Writes accounts in a file's format. Threads may share it.
///
/// Firebase's format has room for its own algorithm's hashes with one set of parameters, which stand beside the file: those of
/// the first account that has any. The others are left out, and counted. So are second factors, for which it has no room, and in our
/// own format the secrets of authenticator apps, where these are not to be written.
public final class AccountFileWriter: Sendable {
    private let format: AccountFileFormat
    private let hashParameters = Mutex<FirebaseHashParameters?>(nil)

    /// A writer of one file.
    public init(_ format: AccountFileFormat) {
        self.format = format
    }

    /// What the file begins with.
    public var beginning: String { format == .firebase ? "{\"users\": [\n" : "" }
    /// What stands between two pages.
    public var separator: String { format == .firebase ? ",\n" : "\n" }
    /// What the file ends with; `isEmpty` where it has no account.
    public func end(isEmpty: Bool) -> String {
        switch format {
        case .jsonLines: isEmpty ? "" : "\n"
        case .firebase: isEmpty ? "]}\n" : "\n]}\n"
        }
    }

    /// The text of some accounts.
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

    /// Whether an import makes the factor from what stands in the file.
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
