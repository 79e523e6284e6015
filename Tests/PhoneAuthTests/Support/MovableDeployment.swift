import RedisScripts
import Testing

@testable import PhoneAuth

/// A deployment whose key file has a second index key, with users of each kind.
struct MovableDeployment {
    let deployment: Deployment
    let project: Project
    let phone = "+16505550141"
    let email = "ada@example.com"
    let factor = "+16505550142"
    let testNumber = "+16505550143"
    /// A number that an account with another number has begun to take.
    let pending = "+16505550144"
    let pendingHolder = "+16505550145"
    let phoneUser: SignedIn
    let emailUser: IssuedTokens
    let pendingUser: SignedIn
    let recoveryCodes: [String]

    init(pendingUpTo isClaimed: Bool = true) throws {
        (deployment, _) = try Deployment.ofManyMessages()
        project = deployment.project(secondFactors: .optional)
        let added = try KeyFile.addIndexKey(TestKeys.file(), deployment.clock.environment)
        _ = try deployment.keys.adopt(KeyFile.parse(added.text), at: deployment.clock.now)
        let authenticator = try deployment.authenticator(passwordHashing: TestPasswordHashing.make())
        phoneUser = try authenticator.in(project).signIn(phone)
        let user = try authenticator.in(project).secondFactorUser(email)
        let enrolled = try authenticator.in(project).enroll(factor, user.idToken)
        recoveryCodes = try authenticator.in(project).makeRecoveryCodes(idToken: enrolled.idToken)
        emailUser = enrolled
        let code = try #require(VerificationCode("314159"))
        try authenticator.in(project).setTestNumber(testNumber, code: code)
        pendingUser = try authenticator.in(project).signIn(pendingHolder, client: 2)
        let account = AccountIdentity(project: project.id, uid: pendingUser.uid, among: authenticator.store.shards)
        let claim = authenticator.in(project).newClaim(uid: account.uid)
        let sealed = try authenticator.in(project).seal(.phone, pending, for: account)
        #expect(try authenticator.store.proposeIdentifier(.phone, sealed, claim, to: account) == .proposed)
        if isClaimed {
            let identity = authenticator.in(project).identity(of: pending)
            #expect(try authenticator.store.claimIdentifier(identity, claim, replacing: nil) == claim)
        }
    }

    /// Returns a worker's authenticator, with the index key in force.
    func authenticator() throws -> Authenticator {
        let authenticator = try deployment.authenticator(passwordHashing: TestPasswordHashing.make())
        try authenticator.checkDeployment()
        return authenticator
    }

    /// The state in Redis.
    var state: String { deployment.cli("HGET", "dt:{/}:deployment", "index-key") }

    /// Runs a move to its end.
    func moveAll() throws { #expect(try deployment.authenticator().moveIndexKey() == 2) }

    /// Simulates a process killed after this number of steps, and returns whether it was still running.
    func beginMove(steps count: Int) throws -> Bool {
        var left = count
        do throws(IndexKeyMoveFailure) {
            _ = try deployment.authenticator().moveIndexKey { _ throws(IndexKeyMoveFailure) in
                left -= 1
                if left == 0 { throw .redisReplaced }
            }
            return false
        } catch {
            guard error == .redisReplaced else { throw error }
            return true
        }
    }

    /// Checks that every identifier leads to its user, that no user has a second account, and that no hashes of another
    /// key remain.
    func expectEveryone(under id: UInt8, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let authenticator = try authenticator()
        #expect(authenticator.keys.indexKey.id == id, sourceLocation: sourceLocation)
        let before = try authenticator.in(project).accounts().count
        try authenticator.in(project).expectSoundAccounts(sourceLocation: sourceLocation)

        let signedIn = try authenticator.in(project).signIn(phone)
        #expect(signedIn.uid == phoneUser.uid && !signedIn.isNewUser, sourceLocation: sourceLocation)
        #expect(
            try authenticator.in(project).account(ofPhoneNumber: phone)?.uid == phoneUser.uid,
            sourceLocation: sourceLocation
        )
        #expect(
            try authenticator.in(project).account(ofEmail: email)?.uid == emailUser.account.uid,
            sourceLocation: sourceLocation
        )
        // The user who had begun to take a number can still take it, and has the former number until then.
        #expect(
            try authenticator.in(project).signIn(pendingHolder, client: 2).uid == pendingUser.uid,
            sourceLocation: sourceLocation
        )

        let challenge = try authenticator.in(project).challenge(email)
        let factorID = emailUser.account.secondFactors[0].id
        let session = try authenticator.in(project).startSecondFactor(factorID, challenge)
        let tokens = try authenticator.in(project).finish(
            .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session)),
            challenge,
            request: "second-\(session)"
        )
        #expect(tokens.account.uid == emailUser.account.uid, sourceLocation: sourceLocation)
        #expect(
            authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.in(project).startEnrollment(factor, tokens.idToken)
            } == .alreadyEnrolled,
            sourceLocation: sourceLocation
        )

        #expect(
            try authenticator.in(project).testNumbers().keys.sorted() == [testNumber],
            sourceLocation: sourceLocation
        )
        let hashes = try authenticator.store.testNumbers(of: project.id).keys
        #expect(
            hashes.elementsEqual([authenticator.in(project).identity(of: testNumber).hash]),
            sourceLocation: sourceLocation
        )
        #expect(try authenticator.in(project).accounts().count == before, sourceLocation: sourceLocation)
        let claims = ["dt:{\(project.id)}:phone:*", "dt:{e*}:email:*"].flatMap { deployment.keyNames(matching: $0) }
        for claim in claims {
            let hash = claim.split(separator: ":").last ?? ""
            #expect(IndexKeyHash.id(of: hash) == id, "\(claim)", sourceLocation: sourceLocation)
        }
    }
}
