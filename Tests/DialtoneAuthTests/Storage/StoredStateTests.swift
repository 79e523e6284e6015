import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// The stored state at the app's start: missing, not readable yet, or damaged.
@Suite struct StoredStateTests {
    private let store = MemoryStore()

    private func auth(_ url: String = "https://auth.example.com") -> Auth {
        let options = DialtoneOptions(url: URL(string: url), apiKey: "k")
        return Auth(DialtoneApp(name: "stored", options: options, store: store))
    }

    private func write(_ text: String, for key: String = StoredSession.key) throws {
        try store.write(Data(text.utf8), for: key)
    }

    private func session(_ uid: String, offset: String = "0", expiresAt: String = "0") -> String {
        """
        {"account":{"uid":"\(uid)","isEmailVerified":false,"isAnonymous":false,"providers":[],"metadata":{},
        "factors":[]},"tokens":{"idToken":"\(idToken(of: "ann"))","refreshToken":"r","expiresAt":\(expiresAt)},
        "clockOffset":\(offset)}
        """
    }

    @Test(
        "damaged data is not a session, and does not cause a crash",
        arguments: [("", 1), ("{", 1), ("null", 1), ("[]", 1), (#"{"account":{}}"#, 1), ("[", 100_000)]
    )
    func damaged(part: String, count: Int) async throws {
        let text = String(repeating: part, count: count)
        for key in [StoredSession.key, VerificationInProgress.key, PushCredential.key] { try write(text, for: key) }
        let auth = auth()
        #expect(auth.currentUser == nil)
        #expect(PhoneAuthProvider.provider(auth: auth).verificationInProgress == nil)
        #expect(auth.verifier.pushes.credential == nil)
    }

    @Test("a session with another user's token is not used")
    func mixed() throws {
        try write(session("mallory"))
        #expect(auth().currentUser == nil)
        try write(session("ann"))
        #expect(auth().currentUser?.uid == "ann")
    }

    @Test("impossible times in the store are ignored", arguments: ["1e300", "-1e300", "253402300799000"])
    func times(number: String) async throws {
        let server = try StandIn { _ in StandIn.Answer(headers: ["Date": "Fri, 31 Dec 9999 23:59:59 GMT"]) }
        try write(session("ann", offset: number, expiresAt: number))
        let auth = auth(server.url)
        let user = try #require(auth.currentUser)
        #expect(auth.clock.offset == 0)
        #expect(abs(user.tokens.expiresAt.timeIntervalSinceNow) < 4_000)
        #expect(await auth.diagnose().contains { $0.check == .session && $0.detail.contains("refreshed in") })
        #expect(auth.clock.offset == 0)
        let verification = VerificationInProgress(
            verificationID: "id",
            phoneNumber: "+16505550101",
            sentAt: Date(),
            resendAt: Date(timeIntervalSince1970: try #require(Double(number))),
            clockOffset: 0
        )
        try store.write(try JSONEncoder().encode(verification), for: VerificationInProgress.key)
        await #expect(throws: (any Error).self) {
            try await PhoneAuthProvider.provider(auth: auth).resendCode()
        }
    }

    @Test("a session that cannot be read yet is restored later, and listeners are notified")
    func locked() async throws {
        try write(session("ann"))
        store.fail(NSError(domain: "locked", code: 1))
        let auth = auth()
        let users = Mutexed<[String]>([])
        auth.addStateDidChangeListener { _, user in users.with { $0.append(user?.uid ?? "-") } }
        #expect(await waitUntil { users.with { $0 } == ["-"] })
        store.fail(nil)
        #expect(await waitUntil { users.with { $0 } == ["-", "ann"] })
        #expect(try await auth.restoredUser()?.uid == "ann")
    }

    @Test("if the store fails, Auth reports an error, and nothing changes")
    func failing() async throws {
        try write(session("ann"))
        let auth = auth()
        let user = try #require(auth.currentUser)
        store.fail(NSError(domain: "disk", code: 28))
        #expect { try auth.signOut() } throws: { error in
            AuthErrorCode(error) == .keychainError
                && ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "disk"
        }
        #expect(auth.currentUser === user)
        let other = User(auth, Account(uid: "ann"), user.tokens)
        #expect { try auth.become(other, since: auth.signOuts) } throws: { AuthErrorCode($0) == .keychainError }
        #expect(auth.currentUser === user)
    }

    @Test("the number of an expired verification is removed from the store")
    func expiredVerification() throws {
        let verification = VerificationInProgress(
            verificationID: "id",
            phoneNumber: "+16505550101",
            sentAt: Date().addingTimeInterval(-601),
            resendAt: Date(),
            clockOffset: 0
        )
        try store.write(try JSONEncoder().encode(verification), for: VerificationInProgress.key)
        let record = SecondFactorRecord(verification: verification, purpose: .enrollment(uid: "ann"))
        try store.write(try JSONEncoder().encode(record), for: SecondFactorRecord.key)
        // Even if the app uses neither.
        _ = auth()
        #expect(try store.read(VerificationInProgress.key) == nil)
        #expect(try store.read(SecondFactorRecord.key) == nil)
    }

    @Test("another URL, API key or configuration keeps the session; another project starts without it and replaces it")
    func identity() throws {
        func auth(_ url: String, _ key: String = "k", project: String? = nil) -> Auth {
            let options = DialtoneOptions(url: URL(string: url), apiKey: key, projectID: project)
            return Auth(DialtoneApp(name: "a", options: options, store: store))
        }
        func signIn(_ auth: Auth, _ uid: String, _ project: String) throws {
            let tokens = try Tokens(idToken: idToken(of: uid, audience: #""\#(project)""#), refreshToken: "r")
            try auth.become(User(auth, Account(uid: uid), tokens), since: auth.signOuts)
        }
        try signIn(auth("https://x.example"), "ann", "demo")
        for url in ["https://x.example/", "https://X.example", "https://y.example/path"] {
            #expect(auth(url, "k2").currentUser?.uid == "ann")
            #expect(auth(url, project: "demo").currentUser?.uid == "ann")
        }
        let other = auth("https://x.example", project: "other")
        #expect(other.currentUser == nil)
        #expect(auth("https://x.example", project: "demo").currentUser?.uid == "ann")
        try signIn(other, "bob", "other")
        #expect(auth("https://x.example", project: "demo").currentUser == nil)
        #expect(auth("https://x.example").currentUser?.uid == "bob")
        #expect(DialtoneApp.storeID("a") != DialtoneApp.storeID("b"))
        #expect(DialtoneApp.storeID("a", "p") != DialtoneApp.storeID("a", "q"))
    }
}
