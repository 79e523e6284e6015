import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension OperationContext {
    /// Opens a session for a number and returns the request that submits its code.
    func answered(
        _ number: String,
        client: Int = 1,
        idToken: String? = nil,
        operation: SignInWithPhoneNumberRequest.Operation = .signUpOrIn
    ) throws -> SignInWithPhoneNumberRequest {
        let session = try session(for: number, client: client)
        return SignInWithPhoneNumberRequest(
            .code(sessionInfo: session, code: try code(of: session)),
            idToken: idToken,
            operation: operation
        )
    }

    /// Links a number to the account of an ID token.
    func link(_ number: String, to idToken: String, client: Int = 1) throws -> SignInOutcome {
        answer(try answered(number, client: client, idToken: idToken))
    }

    /// Signs in with a proof or, with an ID token, links its number.
    func answer(proof: String, _ number: String, idToken: String? = nil, request: String = "p") -> SignInOutcome {
        answer(
            SignInWithPhoneNumberRequest(
                .temporaryProof(proof, phoneNumber: number),
                idToken: idToken
            ),
            request: request
        )
    }

    /// Changes the account of an ID token.
    func updateAccount(
        of idToken: String,
        _ change: (inout UpdateAccountRequest) -> Void
    ) throws(UpdateAccountRefusal) -> UpdatedAccount {
        var request = UpdateAccountRequest(idToken: idToken)
        change(&request)
        return try updateAccount(request)
    }

    /// Returns every account of a project by uid.
    func accounts() throws -> [String: Account] {
        var accounts: [String: Account] = [:]
        for shard in store.shards.shards {
            for uid in try store.accounts(of: project.id, in: shard) {
                let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
                if let record = try store.account(identity) { accounts[uid] = Account(identity, record, keys) }
            }
        }
        return accounts
    }

    /// Checks that the number and the e-mail address of each account lead to that account. No identifier then has two
    /// accounts, and every account with an identifier is reachable.
    func expectSoundAccounts(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (uid, account) in try accounts() {
            if let email = account.email.flatMap({ EmailAddress($0) }) {
                let holder = try holder(of: identifier(email).identity)
                #expect(holder?.identity.uid == uid, sourceLocation: sourceLocation)
            }
            guard let number = account.phoneNumber else { continue }
            let claim = try store.claim(of: identity(of: number))
            #expect(claim?.uid == uid, sourceLocation: sourceLocation)
            guard let claim else { continue }
            let isHeld = try store.holdsClaim(
                claim,
                of: .phone,
                isFresh: false,
                in: project.id,
                markMilliseconds: 1000,
                audit: nil
            )
            #expect(isHeld, sourceLocation: sourceLocation)
        }
    }
}
