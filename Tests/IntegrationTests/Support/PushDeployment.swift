import APNsStandIn
import Cryptography
import Encodings
import PhoneAuth
import Processes
import RedisScripts
import Testing
import TestServers

@testable import dialtone

/// A deployment in production mode with an iOS app, and mocks of both of APNs' environments.
final class PushDeployment: Sendable {
    static let bundleID = "com.example.app"

    let server: RunningServer
    let production: APNsServer
    let sandbox: APNsServer
    private let files: TemporaryFolder

    /// Starts everything except a dispatcher.
    static func start(settings: [String: String] = [:], workers: Int = 1) async throws -> PushDeployment {
        let authority = try TestAuthority()
        let production = try await APNsServer.start(authority: authority)
        let sandbox = try await APNsServer.start(authority: authority)
        return try PushDeployment(authority, production, sandbox, settings, workers)
    }

    private init(
        _ authority: TestAuthority,
        _ production: APNsServer,
        _ sandbox: APNsServer,
        _ settings: [String: String],
        _ workers: Int
    ) throws {
        files = try TemporaryFolder(prefix: "dialtone-apns")
        try files.write(P256PrivateKey.generate().pem(), to: "key.p8")
        try files.write(authority.certificatePEM, to: "authority.pem")
        self.production = production
        self.sandbox = sandbox
        let app = "PROJECT_DEMO_DIALTONE_APP_IOS_"
        let own = [
            "PROJECT_DEMO_DIALTONE_APPS": "ios",
            app + "BUNDLE_ID": Self.bundleID,
            app + "APP_ID": "1:123:ios:abc",
            app + "CLIENT_ID": "123-abc.apps.googleusercontent.com",
            app + "APNS_KEY_FILE": files.path(of: "key.p8"),
            app + "APNS_KEY_ID": "ABCDE12345",
            app + "APNS_TEAM_ID": "ABCDE67890",
            "PUSHES_PER_NETWORK_PER_HOUR": "100000",
            "APNS_PRODUCTION_URL": production.url,
            "APNS_SANDBOX_URL": sandbox.url,
            "APNS_TRUST_FILE": files.path(of: "authority.pem"),
        ]
        server = try RunningServer(.production, workers: workers, settings: own.merging(settings) { $1 })
    }

    /// Returns the domain with the deployment's own keys and Redis, to read what no production endpoint shows.
    func authenticator() throws -> (Authenticator, Project) {
        let settings = try Settings(SettingsSource(file: server.configuration, environment: [:]))
        return (settings.authenticator(try settings.loadKeys()), try settings.project("demo-dialtone"))
    }

    /// The number of pushes in the outbox; -1 if it cannot be read.
    var queued: Int {
        guard let settings = try? Settings(SettingsSource(file: server.configuration, environment: [:])),
            let keys = try? settings.loadKeys()
        else { return -1 }
        let projects = settings.projects.map(\.id)
        let store = Store(settings.redis, shards: settings.shards, projects: projects, marks: { keys.deploymentMarks })
        return (try? store.backlog(of: .pushes).items) ?? -1
    }

    /// Returns the code in the last message to a number.
    func code(sentTo number: String) throws -> String {
        let (authenticator, project) = try authenticator()
        return try #require(try authenticator.operation(in: project).inbox().last { $0.phoneNumber == number }).code
            .digits
    }

    // MARK: Requests of the iOS SDK

    func verifyClient(
        _ token: String,
        isSandbox: Bool = false,
        bundleID: String? = PushDeployment.bundleID,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try server.post(
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyClient",
            isSandbox ? #"{"appToken":"\#(token)","isSandbox":true}"# : #"{"appToken":"\#(token)"}"#,
            from: address,
            headers: bundleID.map { [("X-Ios-Bundle-Identifier", $0)] } ?? []
        )
    }

    func sendVerificationCode(
        _ number: String,
        _ fields: String,
        bundleID: String = PushDeployment.bundleID,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try server.post(
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/sendVerificationCode",
            #"{"phoneNumber":"\#(number)","clientType":"CLIENT_TYPE_IOS",\#(fields)}"#,
            from: address,
            headers: [("X-Ios-Bundle-Identifier", bundleID)]
        )
    }

    /// Returns a device token that differs for each number.
    static func device(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "A", count: 64 - digits.count) + digits.uppercased()
    }
}

extension ReceivedPush {
    /// The receipt and the secret that the SDK reads from the push.
    var credential: (receipt: String, secret: String)? {
        guard case .object(let payload) = try? JSONValue.parse(body),
            case .object(let content) = payload["com.google.firebase.auth"]
        else { return nil }
        return (content.text("receipt"), content.text("secret"))
    }
}
