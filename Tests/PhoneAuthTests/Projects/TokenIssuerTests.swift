import Encodings
import Testing

@testable import PhoneAuth

/// A deployment's own token issuers, and the effect of a change of the issuer on tokens.
extension PhoneAuthTests {
    @Suite struct TokenIssuerTests {
        private static func project(_ issuer: String?) throws -> Project {
            Project(
                id: "demo-app",
                ownIssuer: try issuer.map { try TokenIssuer($0, of: "demo-app") },
                authorizedDomains: ["localhost"]
            )
        }

        @Test(
            "an issuer is an https URL without a path, or with the path of the project",
            arguments: [
                "https://auth.example.com", "https://auth.example.com:8443", "https://[2001:db8::1]",
                "https://auth.example.com/projects/demo-app",
            ]
        )
        func valid(url: String) throws {
            let issuer = try TokenIssuer(url, of: "demo-app")
            #expect(issuer.url == url)
            #expect(issuer.keysURL == url + "/.well-known/jwks.json")
            #expect(issuer.isAtRoot == !url.hasSuffix("demo-app"))
        }

        @Test(
            "any other URL is rejected",
            arguments: [
                ("", .notAURL), ("auth.example.com", .notAURL), ("http://auth.example.com", .notAURL),
                ("http://127.0.0.1:9099", .notAURL), ("https://user@auth.example.com", .notAURL),
                ("https://auth.example.com?a=b", .notAURL), ("https://auth.example.com#a", .notAURL),
                ("https://auth.example.com/projects/demo-app?", .notAURL), ("https://é.example.com", .notAURL),
                ("https://auth.example.com/", .pathUnknown), ("https://auth.example.com/auth", .pathUnknown),
                ("https://auth.example.com/projects/demo-app/", .pathUnknown),
                ("https://auth.example.com/projects/other-app", .pathUnknown),
                ("https://auth.example.com//projects/demo-app", .pathUnknown),
                ("https://securetoken.google.com/demo-app", .pathUnknown),
                ("https://securetoken.google.com", .reserved),
                ("https://session.firebase.google.com/projects/demo-app", .reserved),
                ("https://SESSION.firebase.google.com:443", .reserved),
            ] as [(String, TokenIssuerFault)]
        )
        func invalid(url: String, fault: TokenIssuerFault) {
            #expect(throws: fault) { try TokenIssuer(url, of: "demo-app") }
        }

        @Test("plain http is allowed only for a loopback address, and only with permission")
        func plain() throws {
            for url in ["http://127.0.0.1:9099", "http://[::1]:9099/projects/demo-app"] {
                #expect(try TokenIssuer(url, of: "demo-app", allowsPlainLoopback: true).url == url)
            }
            for url in ["http://localhost:9099", "http://auth.example.com"] {
                #expect(throws: TokenIssuerFault.notAURL) {
                    try TokenIssuer(url, of: "demo-app", allowsPlainLoopback: true)
                }
            }
        }

        @Test("hosts are compared like those of URLs: ignoring case and the default port")
        func hosts() throws {
            let issuer = try TokenIssuer("https://Auth.example.com", of: "demo-app")
            for host in ["auth.example.com", "AUTH.example.com", "auth.example.com:443"] {
                #expect(issuer.isAt(host: host))
                #expect(issuer.collides(with: try TokenIssuer("https://" + host, of: "other-app")))
            }
            for host in ["auth.example.com:80", "auth.example.com.", "example.com", ""] {
                #expect(!issuer.isAt(host: host))
            }
            let named = try TokenIssuer("https://auth.example.com/projects/other-app", of: "other-app")
            #expect(!issuer.collides(with: named) && !named.collides(with: issuer))
        }

        @Test("tokens of each of a project's former and current issuers are valid")
        func changes() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let issuers = [nil, "https://auth.example.com", "https://login.example.com/projects/demo-app"]
            let projects = try issuers.map(Self.project)
            let tokens = try projects.enumerated().map { index, project in
                try authenticator.in(project).signIn("+1650555018\(index)")
            }
            for (token, issuer) in zip(tokens, issuers) {
                let claims = try Claims(token.idToken)
                #expect(claims.payload["iss"] == .string(issuer ?? "https://securetoken.google.com/demo-app"))
                #expect(claims.payload["aud"] == .string("demo-app"))
                for project in projects {
                    #expect(
                        try authenticator.in(project).lookUpAccount(idToken: token.idToken).account.uid == token.uid
                    )
                }
            }
            deployment.clock.advance(by: .seconds(3600))
            for project in projects {
                #expect(authenticator.in(project).look(up: tokens[0].idToken) == .invalid)
            }
        }

        @Test("a refreshed token has the current issuer")
        func refresh() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let signedIn = try authenticator.in(try Self.project(nil)).signIn("+16505550183")
            let changed = authenticator.in(try Self.project("https://auth.example.com"))
            let refreshed = try changed.exchangeRefreshToken(signedIn.refreshToken)
            #expect(try Claims(refreshed.idToken).payload["iss"] == .string("https://auth.example.com"))
        }

        @Test("a session cookie is never accepted as an ID token, whichever issuer ID tokens have")
        func sessionCookies() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let issuers = [nil, "https://auth.example.com", "https://auth.example.com/projects/demo-app"]
            for project in try issuers.map(Self.project) {
                let context = authenticator.in(project)
                let idToken = try context.signIn("+16505550184").idToken
                let cookie = try context.createSessionCookie(idToken: idToken, lifetime: .seconds(300))
                let issuer = try Claims(cookie).payload["iss"]
                #expect(issuer == .string("https://session.firebase.google.com/demo-app"))
                #expect(context.look(up: cookie) == .invalid)
                #expect(context.look(up: idToken) != .invalid)
            }
        }

        @Test("Firebase's issuer of another project, or with a suffix, is rejected")
        func firebaseIssuers() {
            for issuer in ["https://securetoken.google.com/", "https://session.firebase.google.com/"] {
                for project in ["", "other-app", "demo-app/", "demo-app2"] {
                    for kind in TokenKind.allCases { #expect(!kind.includes(issuer: issuer + project, in: "demo-app")) }
                }
            }
        }
    }
}
