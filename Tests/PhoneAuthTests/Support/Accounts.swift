import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension Authenticator {
    /// Opens a session for a number and reads its code.
    func answered(
        _ number: String,
        client: Int = 1,
        idToken: String? = nil,
        operation: SignInWithPhoneNumberRequest.Operation = .signUpOrIn,
        in project: Project
    ) throws -> SignInWithPhoneNumberRequest {
        let session = try session(for: number, client: client, in: project)
        return SignInWithPhoneNumberRequest(
            .code(sessionInfo: session, code: try code(of: session, in: project)),
            idToken: idToken,
            operation: operation,
            requestID: "r-\(session)"
        )
    }

    /// Proves a number to the account of an ID token.
    func link(_ number: String, to idToken: String, client: Int = 1, in project: Project) throws -> SignInOutcome {
        answer(try answered(number, client: client, idToken: idToken, in: project), in: project)
    }

    /// Signs in with a proof, or, with an ID token, links by it.
    func answer(
        proof: String,
        _ number: String,
        idToken: String? = nil,
        request: String = "p",
        in project: Project
    ) -> SignInOutcome {
        answer(
            SignInWithPhoneNumberRequest(
                .temporaryProof(proof, phoneNumber: number),
                idToken: idToken,
                requestID: request
            ),
            in: project
        )
    }

    /// Every account of a project by its uid.
    func accounts(of project: Project) throws -> [String: Account] {
        var accounts: [String: Account] = [:]
        for shard in store.shards.shards {
            for uid in try store.accounts(of: project.id, in: shard) {
                let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
                if let record = try store.account(identity) { accounts[uid] = Account(identity, record, keys) }
            }
        }
        return accounts
    }

    /// Checks that each account that has a number or an e-mail address is the one to which that leads: then neither has two
    /// accounts, and no account that has one is out of reach.
    func expectSoundAccounts(of project: Project, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (uid, account) in try accounts(of: project) {
            if let email = account.email.flatMap({ EmailAddress($0) }) {
                let holder = try holder(of: identifier(email, in: project).identity)
                #expect(holder?.identity.uid == uid, sourceLocation: sourceLocation)
            }
            guard let number = account.phoneNumber else { continue }
            let claim = try store.claim(of: identity(of: number, in: project))
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
