import Encodings
import Testing

@testable import PhoneAuth

/// Credentials that a proxy forwards.
extension PhoneAuthTests {
    @Suite struct VerifyForwardedCredentialTests {
        let deployment: Deployment
        let context: OperationContext
        let signedIn: SignedIn
        let cookie: String

        init() throws {
            deployment = try Deployment()
            context = deployment.authenticator().in(deployment.project)
            signedIn = try context.signIn("+16505550190")
            cookie = try context.createSessionCookie(idToken: signedIn.idToken, lifetime: .seconds(7200))
        }

        /// The operation context at the current time.
        private var now: OperationContext { deployment.authenticator().in(deployment.project) }

        private func isValid(_ credential: ForwardedCredential, checksRevocation: Bool = false) -> Bool {
            (try? now.verify(credential, checksRevocation: checksRevocation)) != nil
        }

        @Test("an ID token and a session cookie identify the user")
        func valid() throws {
            for credential in [ForwardedCredential.idToken(signedIn.idToken), .sessionCookie(cookie)] {
                let user = try now.verify(credential, checksRevocation: true)
                #expect(user.uid == signedIn.uid && user.phoneNumber == "+16505550190" && user.provider == .phone)
                #expect(user.email == nil && !user.isEmailVerified)
                let claims = try JSONValue.parse(try #require(Base64URL.decode(user.claims.utf8)))
                guard case .object(let members) = claims else { return #expect(Bool(false)) }
                #expect(members["sub"] == .string(signedIn.uid))
            }
        }

        @Test("ID tokens and session cookies are not interchangeable, so their lifetimes hold")
        func kinds() {
            for checks in [false, true] {
                #expect(!isValid(.idToken(cookie), checksRevocation: checks))
                #expect(!isValid(.sessionCookie(signedIn.idToken), checksRevocation: checks))
            }
        }

        @Test("each credential is valid until it expires, to the second")
        func expiry() {
            deployment.clock.advance(by: .seconds(3599))
            #expect(isValid(.idToken(signedIn.idToken)) && isValid(.sessionCookie(cookie)))
            deployment.clock.advance(by: .seconds(1))
            #expect(!isValid(.idToken(signedIn.idToken)) && isValid(.sessionCookie(cookie)))
            deployment.clock.advance(by: .seconds(3600))
            #expect(!isValid(.sessionCookie(cookie)))
        }

        @Test("credentials of another project are rejected, even with the same keys")
        func otherProject() {
            let other = deployment.authenticator().in(Project(id: "other-app", authorizedDomains: []))
            for credential in [ForwardedCredential.idToken(signedIn.idToken), .sessionCookie(cookie)] {
                #expect(throws: IDTokenRefusal.self) { try other.verify(credential, checksRevocation: false) }
            }
        }

        @Test("other tokens of the deployment are rejected")
        func otherTokens() {
            for text in [signedIn.refreshToken, "", "a.b.c", signedIn.idToken + ".", " " + signedIn.idToken] {
                #expect(!isValid(.idToken(text)) && !isValid(.sessionCookie(text)))
            }
        }

        @Test("a verified credential is cached until it expires, only with this text and as this kind")
        func remembered() throws {
            let authenticator = deployment.authenticator()
            let cache = authenticator.forwardedUsers
            func isValid(_ credential: ForwardedCredential, in project: Project? = nil) -> Bool {
                let context = authenticator.in(project ?? deployment.project)
                return (try? context.verify(credential, checksRevocation: false)) != nil
            }
            for _ in 0..<3 { #expect(isValid(.idToken(signedIn.idToken))) }
            #expect(cache.count == 1)
            #expect(!isValid(.sessionCookie(signedIn.idToken)) && !isValid(.idToken(signedIn.idToken + "A")))
            #expect(!isValid(.idToken(signedIn.idToken), in: Project(id: "other-app", authorizedDomains: [])))
            #expect(cache.count == 1)
            deployment.clock.advance(by: .seconds(3600))
            #expect(!isValid(.idToken(signedIn.idToken)))
        }

        @Test("a cached credential is rejected once its signing key is no longer published")
        func withdrawnKey() throws {
            let keys = try TestKeys.make()
            let authenticator = deployment.authenticator(keys: keys)
            #expect(throws: Never.self) {
                try authenticator.in(deployment.project).verify(.idToken(signedIn.idToken), checksRevocation: false)
            }
            let other = try #require(
                SigningKey(id: "key-2", privateKey: TestKeys.otherPrivateKey, certificate: "certificate")
            )
            keys.signingKeys.replace(with: try #require(SigningKeys([.init(key: other, signsFrom: nil)])))
            #expect(throws: IDTokenRefusal.self) {
                try authenticator.in(deployment.project).verify(.idToken(signedIn.idToken), checksRevocation: false)
            }
            #expect(authenticator.forwardedUsers.count == 1)
        }

        @Test("the cache is bounded, and credentials checked for revocation are not cached")
        func bounded() throws {
            let authenticator = deployment.authenticator()
            let cache = authenticator.forwardedUsers
            let context = authenticator.in(deployment.project)
            _ = try context.verify(.idToken(signedIn.idToken), checksRevocation: true)
            #expect(cache.count == 0)
            let user = try context.verify(.idToken(signedIn.idToken), checksRevocation: false)
            let token = try context.verify(signedIn.idToken)
            for number in 0..<ForwardedUserCache.capacity * 2 {
                cache.keep(user, of: token, as: ForwardedUserCache.Key("\(number)", .idToken, in: deployment.project))
                #expect(cache.count <= ForwardedUserCache.capacity)
            }
        }

        @Test("credentials of deleted accounts are rejected only if revocation is checked")
        func deletedAccount() throws {
            try context.deleteAccount(idToken: signedIn.idToken)
            for credential in [ForwardedCredential.idToken(signedIn.idToken), .sessionCookie(cookie)] {
                #expect(isValid(credential))
                #expect(!isValid(credential, checksRevocation: true))
            }
        }
    }
}
