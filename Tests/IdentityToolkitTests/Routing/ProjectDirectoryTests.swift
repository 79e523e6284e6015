import PhoneAuth
import Testing

@testable import IdentityToolkit

/// The selection of the project whose discovery document is served at the root of a host.
@Suite struct ProjectDirectoryTests {
    private static func directory(_ issuers: [String: String]) throws -> ProjectDirectory {
        let projects = try ["acme", "other", "third"].map { id in
            Project(id: id, ownIssuer: try issuers[id].map { try TokenIssuer($0, of: id) }, authorizedDomains: [])
        }
        return ProjectDirectory(apiKeys: Dictionary(uniqueKeysWithValues: projects.map { ("key-\($0.id)", $0) }))
    }

    @Test("a single issuer at a root is found under every host, because a proxy may change the host")
    func onlyOne() throws {
        let directory = try Self.directory([
            "acme": "https://auth.example.com", "other": "https://auth.example.com/projects/other",
        ])
        for host in ["auth.example.com", "10.0.0.1:8080", "", nil] {
            #expect(directory.project(withIssuerAtRootOf: host)?.id == "acme")
        }
    }

    @Test("if several issuers are at a root, the host selects one")
    func several() throws {
        let directory = try Self.directory(["acme": "https://a.example.com", "other": "https://b.example.com:8443"])
        #expect(directory.project(withIssuerAtRootOf: "a.example.com")?.id == "acme")
        #expect(directory.project(withIssuerAtRootOf: "b.example.com:8443")?.id == "other")
        for host in ["b.example.com", "c.example.com", "", nil] {
            #expect(directory.project(withIssuerAtRootOf: host) == nil)
        }
    }

    @Test("without an issuer at a root, there is no document at a root")
    func none() throws {
        let directory = try Self.directory(["acme": "https://auth.example.com/projects/acme"])
        #expect(directory.project(withIssuerAtRootOf: "auth.example.com") == nil)
    }
}
