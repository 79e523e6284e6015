import Encodings
import TestServers
import Testing

/// Concurrent links of one account, with plain requests to a real server.
@Suite struct OvertakenLinkTests {
    /// Returns a request that links a number and whose code has already been looked up.
    private func preparedLink(_ number: String, to idToken: String, on server: RunningServer) throws
        -> @Sendable ()
        throws -> HTTPAnswer
    {
        let session = try server.openVerification(number)
        let code = try server.code(of: session)
        return { try server.signIn(session, code, idToken: idToken) }
    }

    private func signUpAnonymously(_ server: RunningServer) throws -> (
        uid: String, idToken: String, refreshToken: String
    ) {
        let user = try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
        return (
            try #require(user["localId"], "\(user.text)"), try #require(user["idToken"]),
            try #require(user["refreshToken"])
        )
    }

    @Test("two tabs that link two numbers concurrently both succeed, and the account keeps the last number")
    func tabs() throws {
        let server = try RunningServer(workers: 2, settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000"])
        for _ in 0..<20 {
            let user = try signUpAnonymously(server)
            let numbers = [SecondFactorUser.freshNumber(), SecondFactorUser.freshNumber()]
            let links = try numbers.map { try preparedLink($0, to: user.idToken, on: server) }
            let answers = try inParallel(links.count) { try links[$0]() }
            for answer in answers { #expect(answer.status == 200 && answer["localId"] == user.uid, "\(answer.text)") }
            let account = try #require(try server.lookUp(user.idToken).json.objects("users").first)
            #expect(numbers.contains(account.text("phoneNumber")))
            // The other number is free, and all tokens are valid.
            for number in numbers {
                let isHeld = account.text("phoneNumber") == number
                #expect((try server.prove(number)["localId"] == user.uid) == isHeld)
            }
            for token in [user.refreshToken] + answers.compactMap({ $0["refreshToken"] }) {
                #expect(try server.refresh(token).status == 200)
            }
        }
        #expect(AccountAudit(server.redis).faults == [])
    }

    @Test("many concurrent links of one account cause no server error")
    func crowd() throws {
        let server = try RunningServer(workers: 2, settings: ["SENDS_PER_NUMBER_PER_HOUR": "1000"])
        let user = try signUpAnonymously(server)
        let links = try (0..<12).map { _ in
            try preparedLink(SecondFactorUser.freshNumber(), to: user.idToken, on: server)
        }
        let answers = try inParallel(links.count) { try links[$0]() }
        #expect(answers.contains { $0.status == 200 })
        for answer in answers where answer.status != 200 {
            #expect(answer.status == 409 && answer.errorCode == "ABORTED", "\(answer.text)")
        }
        #expect(AccountAudit(server.redis).faults == [])
    }

    @Test(
        "an old anonymous token links nothing to an account that concurrently got a way to sign in",
        arguments: ["number", "e-mail address and password"]
    )
    func staleToken(link: String) throws {
        let test = try OvertakenServer()
        let server = test.server
        var isOvertaken = true
        for script in 1...12 where isOvertaken {
            let user = try signUpAnonymously(server)
            let idToken = try server.staleIDToken(user.refreshToken)
            let (first, second) = (SecondFactorUser.freshNumber(), SecondFactorUser.freshNumber())
            let overtaking = try preparedLink(first, to: idToken, on: server)
            let email = SecondFactorUser.freshEmail()
            var request = try preparedLink(second, to: idToken, on: server)
            if link != "number" {
                request = { try server.update(idToken, #""email":"\#(email)","password":"eve's password""#) }
            }
            let answer: HTTPAnswer
            (answer, isOvertaken) = try test.overtake(beforeScript: script, request) { _ = try overtaking() }
            guard isOvertaken else { continue }
            let account = try #require(
                try server.administer("lookup", #"{"localId":["\#(user.uid)"]}"#).json.objects("users").first
            )
            if answer.status == 200 {
                // The link came first, so the overtaking link could not link anything either.
                #expect(account["email"] == nil || account["phoneNumber"] == nil, "before script \(script)")
                #expect(account.text("phoneNumber") != first)
            } else {
                #expect(answer.errorCode == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "before script \(script): \(answer.text)")
                #expect(account.text("phoneNumber") == first && account["email"] == nil)
            }
        }
        #expect(!isOvertaken)
        #expect(AccountAudit(server.redis).faults == [])
    }
}
