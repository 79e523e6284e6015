import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Operations of operators on accounts.
    @Suite struct AdminAccountTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        private func create(
            _ uid: String?,
            number: String? = nil,
            request: String = "r"
        ) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            if let number { change.phoneNumber = .set(number) }
            return try authenticator.in(project).createAccount(uid: uid, change, requestID: request)
        }

        private func change(_ uid: String, _ edit: (inout AccountChange) -> Void) throws(AccountRefusal) -> Account {
            var change = AccountChange()
            edit(&change)
            return try authenticator.in(project).changeAccount(uid: uid, change)
        }

        private func refusal(_ operation: () throws(AccountRefusal) -> Account) -> String {
            do {
                _ = try operation()
                return "none"
            } catch {
                return "\(error)"
            }
        }

        @Test("signing in with a number finds the account that was created with it")
        func createWithNumber() throws {
            let account = try create("ada", number: number)
            #expect(account.uid == "ada" && account.phoneNumber == number && account.lastLoginAt == nil)
            let signedIn = try authenticator.in(project).signIn(number)
            #expect(signedIn.uid == "ada" && !signedIn.isNewUser)
            #expect(try authenticator.in(project).account(ofPhoneNumber: number)?.uid == "ada")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a uid or number that is in use creates no account")
        func taken() throws {
            let owner = try authenticator.in(project).signIn(number).uid
            #expect(refusal { () throws(AccountRefusal) in try create(owner, request: "q") } == "uidTaken")
            #expect(refusal { () throws(AccountRefusal) in try create("bob", number: number) } == "numberExists")
            #expect(try authenticator.in(project).accounts().keys.sorted() == [owner])
            for wrong in ["", "123", "+1650"] {
                #expect(refusal { () throws(AccountRefusal) in try create("bob", number: wrong) } == "numberInvalid")
            }
            let long = String(repeating: "x", count: 129)
            #expect(refusal { () throws(AccountRefusal) in try create(long) } == "uidInvalid")
            // A repeated request gets the same response.
            #expect(try create("eve", request: "s").uid == "eve")
            #expect(try create("eve", request: "s").uid == "eve")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a number moves between accounts and never belongs to two")
        func numbers() throws {
            _ = try create("a", number: number)
            _ = try create("b")
            let taken = refusal { () throws(AccountRefusal) in try change("b") { $0.phoneNumber = .set(number) } }
            #expect(taken == "numberExists")
            for (from, to) in [("a", "b"), ("b", "a")] {
                #expect(try change(from) { $0.phoneNumber = .removed }.phoneNumber == nil)
                #expect(try change(to) { $0.phoneNumber = .set(number) }.phoneNumber == number)
                #expect(try authenticator.in(project).signIn(number).uid == to)
                try authenticator.in(project).expectSoundAccounts()
            }
            #expect(try change("a") { $0.phoneNumber = .set("+16505550151") }.phoneNumber == "+16505550151")
            #expect(try authenticator.in(project).signIn(number).isNewUser)
            let unknown = refusal { () throws(AccountRefusal) in
                try change("nobody") { $0.phoneNumber = .set("+16505550152") }
            }
            #expect(unknown == "accountUnknown")
            #expect(try authenticator.in(project).signIn("+16505550152").isNewUser)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("disabling, claims and revocations take effect on the user's tokens")
        func state() throws {
            let user = try authenticator.in(project).signIn(number)
            let claims = try CustomClaims(#"{"role":"admin"}"#)
            #expect(try change(user.uid) { $0.customClaims = claims }.customClaims?.text == claims.text)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(user.refreshToken).idToken
            #expect(try Claims(refreshed).payload["role"] == .string("admin"))
            let none = try CustomClaims("{}")
            #expect(try change(user.uid) { $0.customClaims = none }.customClaims == nil)
            #expect(try change(user.uid) { $0.isDisabled = true }.isDisabled)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: refreshed) }
            #expect(try !change(user.uid) { $0.isDisabled = false }.isDisabled)
            #expect(try authenticator.in(project).lookUpAccount(idToken: refreshed).uid == user.uid)
            let now = deployment.clock.now.seconds
            #expect(try change(user.uid) { $0.validSince = now }.validSince == now)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: refreshed) }
        }

        @Test("a revocation time up to 300 seconds ahead counts as now, and a later one is rejected")
        func validSince() throws {
            let user = try authenticator.in(project).signIn(number)
            let now = deployment.clock.now.seconds
            #expect(try change(user.uid) { $0.validSince = now + 300 }.validSince == now)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: user.idToken) }
            let again = try authenticator.in(project).signIn(number)
            #expect(try authenticator.in(project).lookUpAccount(idToken: again.idToken).uid == user.uid)
            for seconds in [now + 301, now * 1000] {
                let refused = refusal { () throws(AccountRefusal) in try change(user.uid) { $0.validSince = seconds } }
                #expect(refused == "validSinceInFuture(\(seconds))")
                let uncreated = refusal { () throws(AccountRefusal) in
                    var new = AccountChange()
                    new.validSince = seconds
                    return try authenticator.in(project).createAccount(uid: "new", new, requestID: "r")
                }
                #expect(uncreated == refused)
            }
            #expect(try authenticator.in(project).lookUpAccount(idToken: again.idToken).validSince == now)
        }

        @Test("pages of any size list each account once, sorted by uid", arguments: [1, 7, 20, 64, 1000])
        func pages(size: Int) throws {
            let uids = (0..<150).map { "user\($0)" }
            for uid in uids { _ = try create(uid, request: uid) }
            var seen: [String] = []
            var last: String?
            repeat {
                let page = try authenticator.in(project).accounts(after: last, limit: size)
                #expect(page.accounts.count <= size && (page.last == nil || page.accounts.count == size))
                seen += page.accounts.map(\.uid)
                last = page.last
            } while last != nil
            #expect(seen == uids.sorted())
            #expect(try authenticator.in(project).accountCount() == 150)
        }

        @Test("a session cookie has the ID token's claims, a longer lifetime and another issuer")
        func sessionCookie() throws {
            let idToken = try authenticator.in(project).signIn(number).idToken
            let issued = try Claims(idToken)
            deployment.clock.advance(by: .seconds(60))
            let cookie = try authenticator.in(project).createSessionCookie(idToken: idToken, lifetime: .seconds(300))
            let claims = try Claims(cookie)
            #expect(claims.payload["iss"] == .string("https://session.firebase.google.com/demo-app"))
            for name in ["sub", "aud", "auth_time", "phone_number", "firebase"] {
                #expect(claims.payload[name] == issued.payload[name])
            }
            #expect(claims.number("iat") == deployment.clock.now.seconds)
            #expect(claims.number("exp") == deployment.clock.now.seconds + 300)
            // A session cookie is not accepted as an ID token.
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: cookie) }
            for seconds in [299, 14 * 86_400 + 1] {
                #expect(throws: (any Error).self) {
                    try authenticator.in(project).createSessionCookie(idToken: idToken, lifetime: .seconds(seconds))
                }
            }
        }
    }
}
