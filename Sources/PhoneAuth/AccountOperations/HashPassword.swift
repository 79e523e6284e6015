internal import Encodings
internal import Passwords

/// Stored passwords: hashed on separate threads, and encrypted, so that a dump of Redis does not allow an offline
/// guessing attack.
extension OperationContext {
    func hash(
        _ password: Password,
        for share: HashingShare
    ) throws(OperationFailure) -> StoredPassword {
        guard let passwordHashing = authenticator.passwordHashing else { throw .passwordNotHashed(nil) }
        do {
            return try passwordHashing.hash(
                password,
                salt: PasswordSalt(from: environment.randomBytes),
                for: share
            )
        } catch {
            throw .passwordNotHashed(error)
        }
    }

    func seal(_ password: StoredPassword, for account: AccountIdentity) throws(OperationFailure) -> [UInt8] {
        try authenticator.seal(Array(password.text.utf8), Self.passwordContext(account))
    }

    /// Returns the changes that give an account a password.
    func passwordChange(
        _ password: StoredPassword,
        for account: AccountIdentity
    ) throws(OperationFailure) -> AccountUpdate {
        AccountUpdate(
            fields: [.passwordUpdatedAt: String(now.milliseconds)],
            sealedPassword: try seal(password, for: account)
        )
    }

    /// The maximum number of decoys of a project: each takes the time of a hash at every attempt.
    private static let maximumDecoys = 8

    /// Lets every later verification take the time of this hash, too (``PasswordHashing``). The caller stores the hash
    /// afterwards.
    func addDecoy(of stored: StoredPassword) throws(StoreUnavailable) {
        let (decoy, known) = (stored.decoy, try settings().passwordDecoys)
        guard known.count < Self.maximumDecoys, !known.contains(where: { $0.text == decoy.text }) else { return }
        try store.addPasswordDecoy(decoy.text, of: project.id)
    }

    /// Verifies a password against the stored one. Takes equally long if no password is stored, and whatever its
    /// algorithm is (no user enumeration by timing).
    func verify(
        _ password: Password,
        against stored: StoredPassword?,
        for share: HashingShare
    ) throws(OperationFailure) -> Bool {
        guard let passwordHashing = authenticator.passwordHashing else { throw .passwordNotHashed(nil) }
        let decoys = try OperationFailure.wrapping(settings()).passwordDecoys
        if let stored, stored.decoy.text != passwordHashing.decoy.text {
            // An import has recorded it already, unless it was new hashes' and their parameters have changed.
            bestEffort("record the cost of a password hash", try addDecoy(of: stored))
        }
        do {
            return try passwordHashing.verify(password, against: stored, among: decoys, for: share)
        } catch {
            throw .passwordNotHashed(error)
        }
    }

    /// Decrypts an account's stored password; nil if there is none, or if our keys do not decrypt it.
    func storedPassword(_ sealed: [UInt8], of account: AccountIdentity) -> StoredPassword? {
        keys.data.open(sealed, context: Self.passwordContext(account))
            .flatMap { StoredPassword(String(decoding: $0, as: UTF8.self)) }
    }

    private static func passwordContext(_ account: AccountIdentity) -> SealingContext {
        SealingContext("account-password", of: "\(account.project)/\(account.uid)")
    }
}
