import Encodings
import Glibc
import TestServers
import Testing

/// Sessions, reentrancy and attempts, with races over several worker processes.
@Suite struct VerificationSessionTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(settings: ["SENDS_PER_NUMBER_PER_HOUR": "4"])
    }

    @Test("racing calls share one session and one message")
    func racingSends() throws {
        let server = server
        let answers = try inParallel(24) { _ in try server.sendVerificationCode("+16505550100") }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map { $0["sessionInfo"] }).count == 1)
        #expect(try server.messages(to: "+16505550100").count == 1)
    }

    @Test("of thirty racing wrong guesses, only five are verified")
    func racingGuesses() throws {
        let session = try server.openVerification("+16505550101")
        let code = try server.code(of: session)
        let server = server
        let answers = try inParallel(30) { try server.signIn(session, wrongCode(besides: code, $0)) }
        #expect(answers.filter { $0.errorMessage == "INVALID_CODE" }.count == 5)
        #expect(answers.filter { $0.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER" }.count == 25)
    }

    @Test("racing uses of one code sign in once")
    func racingCode() throws {
        let session = try server.openVerification("+16505550102")
        let code = try server.code(of: session)
        let server = server
        let answers = try inParallel(20) { _ in try server.signIn(session, code) }
        #expect(answers.filter { $0.status == 200 }.count == 1)
        #expect(answers.filter { $0.errorMessage == "SESSION_EXPIRED" }.count == 19)
    }

    @Test("racing sign-ins of one number from many clients create one account")
    func racingAccounts() throws {
        let server = server
        let sessions = try (0..<4).map { try server.openVerification("+16505550103", apiKey: "key-\($0)") }
        let pending = try server.pendingCodes().filter { $0.number == "+16505550103" }
        #expect(Set(sessions) == Set(pending.map(\.session)))
        let answers = try inParallel(4) { try server.signIn(pending[$0].session, pending[$0].code) }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map { $0["localId"] }).count == 1)
        #expect(answers.filter { $0.json["isNewUser"] == .bool(true) }.count == 1)
    }

    @Test("after the reentrancy lock, the same session sends the same code again")
    func resend() throws {
        let server = try RunningServer(workers: 1, settings: ["LOCK_SECONDS": "2"])
        let session = try server.openVerification("+16505550104")
        let code = try server.code(of: session)
        let isSentAgain = try eventually(every: .milliseconds(200)) {
            #expect(try server.openVerification("+16505550104") == session)
            return try server.messages(to: "+16505550104").count == 2
        }
        #expect(isSentAgain)
        #expect(try server.code(of: session) == code)
        let messages = try server.messages(to: "+16505550104")
        #expect(messages.allSatisfy { $0.hasPrefix(code) })
    }

    @Test("a session that ends releases its lock immediately")
    func lockEnds() throws {
        let used = try server.openVerification("+16505550105")
        #expect(try server.signIn(used, try server.code(of: used)).status == 200)
        let next = try server.openVerification("+16505550105")
        #expect(next != used)

        let code = try server.code(of: next)
        for attempt in 0..<5 { _ = try server.signIn(next, wrongCode(besides: code, attempt)) }
        #expect(try server.openVerification("+16505550105") != next)
    }

    @Test("another client that knows the number gets a separate session and cannot use the owner's attempts")
    func otherClient() throws {
        let owner = try server.openVerification("+16505550106")
        let byAddress = try server.sendVerificationCode("+16505550106", from: "127.0.0.7")["sessionInfo"]
        let byKey = try server.openVerification("+16505550106", apiKey: "another")
        #expect(Set([owner, byAddress, byKey]).count == 3)

        let stranger = try #require(byAddress)
        let code = try server.code(of: owner)
        #expect(try server.code(of: stranger) != code)
        for attempt in 0..<6 { _ = try server.signIn(stranger, wrongCode(besides: code, attempt)) }
        #expect(try server.signIn(owner, code).status == 200)
    }

    @Test("messages to one number are rate limited, with Retry-After")
    func sendLimit() throws {
        for key in 0..<4 { _ = try server.openVerification("+16505550107", apiKey: "key-\(key)") }
        let refused = try server.sendVerificationCode("+16505550107", apiKey: "key-5")
        #expect(refused.status == 400)
        #expect(refused.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((3500...3600).contains(seconds))
        #expect(try server.messages(to: "+16505550107").count == 4)
        // A reentrant call sends nothing, so it is not refused.
        #expect(try server.sendVerificationCode("+16505550107", apiKey: "key-3").status == 200)
    }

    @Test("a forged or modified sessionInfo is unknown, whatever the code")
    func forgery() throws {
        let session = try server.openVerification("+16505550108")
        let code = try server.code(of: session)
        var altered = Array(session)
        altered[10] = altered[10] == "A" ? "B" : "A"
        for forged in [String(altered), String(session.dropLast()), session + "A", session + "=", "AQEA"] {
            #expect(try server.signIn(forged, code).errorMessage == "INVALID_SESSION_INFO")
        }
        #expect(try server.signIn(session, code).status == 200)
    }
}
