import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct AdministratorTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let other = Project(id: "other", authorizedDomains: [])

        init() throws {
            (deployment, authenticator, project) = try Deployment.withServiceAccount()
        }

        @Test("a token reads or writes only its project until it expires or is revoked")
        func tokens() throws {
            let reading = try authenticator.in(project).createAdminToken("r", .read, lifetime: .seconds(100))
            let writing = try authenticator.in(project).createAdminToken("w", .write, lifetime: .seconds(200))
            #expect(authenticator.outcome(of: reading.text, .read, project) == "permitted")
            #expect(authenticator.outcome(of: reading.text, .write, project) == "refused")
            #expect(authenticator.outcome(of: writing.text, .read, project) == "permitted")
            #expect(authenticator.outcome(of: writing.text, .write, project) == "permitted")
            for elsewhere in [other, nil] {
                #expect(authenticator.outcome(of: writing.text, .read, elsewhere) == "refused")
            }
            let listed = try authenticator.in(project).adminTokens()
            #expect(Set(listed.map(\.id)) == [reading.id, writing.id])
            #expect(try authenticator.in(other).adminTokens().isEmpty)
            deployment.clock.advance(by: .seconds(100))
            #expect(authenticator.outcome(of: reading.text, .read, project) == "invalid")
            #expect(try !authenticator.in(other).revokeAdminToken(id: writing.id))
            #expect(authenticator.outcome(of: writing.text, .write, project) == "permitted")
            #expect(try authenticator.in(project).revokeAdminToken(id: writing.id))
            #expect(authenticator.outcome(of: writing.text, .write, project) == "invalid")
            for (name, value) in deployment.contents() {
                for secret in [reading.text.dropFirst(4), writing.text.dropFirst(4)] {
                    #expect(!name.contains(secret) && !value.contains(secret))
                }
            }
        }

        @Test(
            "an unknown credential is invalid",
            arguments: ["", "owner", "dta_", "dta_AAAA", "dts_e30.AAAA", "a.b.c"]
        )
        func invalid(credential: String) {
            #expect(authenticator.outcome(of: credential, .read, project) == "invalid")
        }
    }
}
