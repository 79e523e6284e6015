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
        #expect { try auth.become(other) } throws: { AuthErrorCode($0) == .keychainError }
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

    @Test("a new API key keeps the session, but another project, server or app has a separate one")
    func identity() {
        func id(_ name: String, _ url: String, _ key: String, _ project: String? = nil) -> String {
            DialtoneApp.storeID(name, DialtoneOptions(url: URL(string: url), apiKey: key, projectID: project))
        }
        #expect(id("a", "https://x.example", "k1") == id("a", "https://x.example", "k2"))
        let ids = [
            id("a", "https://x.example", "k"), id("a", "https://y.example", "k"), id("b", "https://x.example", "k"),
            id("a", "https://x.example", "k", "p"), id("a", "https://x.example", "k", "q"),
        ]
        #expect(Set(ids).count == ids.count)
    }
}
