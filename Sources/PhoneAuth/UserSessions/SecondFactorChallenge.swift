public import Encodings

/// The response to a correct first factor if the account has second factors.
public struct SecondFactorChallenge: Sendable, Confidential {
    /// The client returns it with the second factor's proof.
    public let pendingCredential: String
    /// The account, with the factors from which the user chooses.
    public let account: Account
}

/// An account whose user has proven the first factor.
struct PendingUser {
    let credential: PendingCredential
    let identity: AccountIdentity
    let record: AccountRecord

    func factor(_ id: String) -> SecondFactorRecord? { record.secondFactors.first { $0.id == id } }
}

extension OperationContext {
    func secondFactorChallenge(
        for account: AccountIdentity,
        _ record: AccountRecord,
        provenBy provider: SignInProvider
    ) throws(OperationFailure) -> SecondFactorChallenge {
        let credential = PendingCredential(for: account, record, provenBy: provider, at: now)
        do {
            return SecondFactorChallenge(
                pendingCredential: try credential.text(in: project, keys, environment),
                account: Account(account, record, keys)
            )
        } catch {
            throw .cryptographyFailed
        }
    }
}

/// What a project's policy on second factors means for its users.
extension Project {
    /// The second-factor requirement of a sign-in by a user who may have second factors.
    var secondFactorNeed: SecondFactorNeed { secondFactors.state == .off ? .nothing : .asking }

    /// Returns whether a session that began with these factors may be refreshed. If the project requires a second
    /// factor, a session without one lasts only for its first ID token, with which the user can enroll.
    func renews(_ provider: SignInProvider, _ secondFactor: ProvenSecondFactor?) -> Bool {
        secondFactors.state != .required || !provider.asksForSecondFactor || secondFactor != nil
    }
}
