import PhoneAuth
import Testing

@testable import IdentityToolkit

/// The selection of a request's project: by API key, and by the host whose root has a discovery document.
@Suite struct ProjectDirectoryTests {
    private static func directory(_ issuers: [String: String]) throws -> ProjectDirectory {
        let projects = try ["acme", "other", "third"].map { id in
            Project(id: id, ownIssuer: try issuers[id].map { try TokenIssuer($0, of: id) }, authorizedDomains: [])
        }
        return ProjectDirectory(apiKeys: Dictionary(uniqueKeysWithValues: projects.map { ("key-\($0.id)", $0) }))
    }

    @Test("an API key selects its project only as it is spelled, byte for byte")
    func apiKey() throws {
        let project = Project(id: "acme", authorizedDomains: [])
        let directory = ProjectDirectory(apiKeys: ["AIzaSyK-1": project])
        #expect(try directory.project(ofAPIKey: "AIzaSyK-1").id == "acme")
        // The Kelvin sign is canonically equivalent to K, so Swift considers the two keys equal.
        for key in ["AIzaSy\u{212A}-1", "aizasyk-1", "AIzaSyK-1\u{301}", "AIzaSyK-1 "] {
            #expect(throws: WireError.self) { try directory.project(ofAPIKey: key) }
        }
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
