import Encodings
import Testing

@testable import PhoneAuth

extension Authenticator {
    /// Returns whether a credential permits an access to a project.
    func outcome(of credential: String, _ access: AdminAccess, _ project: Project?) -> String {
        do {
            try administrator(bearing: credential).require(access, to: project)
            return "permitted"
        } catch {
            switch error {
            case .credentialInvalid: return "invalid"
            case .notPermitted: return "refused"
            case .failed: return "failed"
            }
        }
    }
}

extension ServiceAccount {
    static let email = "server@demo-app.iam.example"

    /// Returns a service account with a private key.
    static func make(_ key: String) throws -> ServiceAccount {
        let file = JSONWriter.object { json in
            json.member("client_email", email)
            json.member("private_key", key)
        }
        return try #require(ServiceAccount(file: file))
    }
}

extension Deployment {
    /// Creates a deployment with a project that has a service account, whose key is ``TestKeys/otherPrivateKey``.
    static func withServiceAccount() throws -> (Deployment, Authenticator, Project) {
        let deployment = try Deployment()
        let project = Project(
            id: "demo-app",
            authorizedDomains: [],
            customTokenIssuers: .serviceAccounts([try .make(TestKeys.otherPrivateKey)])
        )
        return (deployment, deployment.authenticator(), project)
    }
}
