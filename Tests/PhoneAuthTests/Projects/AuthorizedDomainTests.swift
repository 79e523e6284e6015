import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The form of authorized domains, in the settings and in the admin interface.
    @Suite struct AuthorizedDomainTests {
        @Test(
            "a domain is a host with an optional port, in lower case",
            arguments: [
                ("localhost", "localhost"), ("App.Example.com", "app.example.com"),
                ("app.example.com:8443", "app.example.com:8443"), ("app.example.com:443", "app.example.com"),
                ("127.0.0.1:9080", "127.0.0.1:9080"), ("[::1]:9080", "[::1]:9080"),
                ("my_app.example", "my_app.example"),
                ("https://app.example.com", nil), ("app.example.com/", nil), ("app.example.com?a", nil),
                ("user@app.example.com", nil), ("app.example.com:0", nil), ("app.example.com:http", nil),
                ("*.example.com", nil), ("a b", nil), ("ä.example", nil), ("", nil), (":8443", nil),
            ] as [(String, String?)]
        )
        func forms(text: String, domain: String?) {
            #expect(AuthorizedDomain.normalized(text) == domain)
        }

        @Test("domains of the settings can be sent to the admin interface unchanged")
        func roundTrip() throws {
            let deployment = try Deployment()
            let domains = ["app.example.com", "app.example.com:8443"]
            let project = Project(id: "demo-app", authorizedDomains: domains)
            let operation = deployment.authenticator().in(project)
            let json = #"{"authorizedDomains":["App.example.com","app.example.com:8443"]}"#
            guard case .object(let members) = try JSONValue.parse(Array(json.utf8)) else { return }
            _ = try operation.changeConfiguration(members, mask: ["authorizedDomains"])
            #expect(try deployment.authenticator().configured(project).authorizedDomains == domains)
        }
    }
}
