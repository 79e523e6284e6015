import DialtoneAuth
import DialtoneFirebaseNames
import Foundation
import Processes
import TestServers
import Testing

/// An app with Dialtone's own client, whose store is deleted with it.
struct ClientApp {
    let folder: TemporaryFolder
    let auth: Auth

    /// Starts the app. With the `folder` of an earlier app, that app is started again. `port` is the port of a proxy in
    /// front of the server.
    init(
        _ server: RunningServer,
        isRegistered: Bool = false,
        folder: TemporaryFolder? = nil,
        port: UInt16? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder(prefix: "dialtone-client")
        let app = FirebaseApp.configure(
            name: UUID().uuidString,
            options: try Self.options(server, isRegistered: isRegistered, port: port),
            store: Self.store(self.folder)
        )
        auth = Auth.auth(app: app)
        app.delete()
    }

    var phone: PhoneAuthProvider { PhoneAuthProvider.provider(auth: auth) }

    static func options(
        _ server: RunningServer,
        isRegistered: Bool = false,
        port: UInt16? = nil
    ) throws -> FirebaseOptions {
        let url = try #require(URL(string: "http://127.0.0.1:\(port ?? server.port)"))
        return FirebaseOptions(
            url: url,
            apiKey: RunningServer.apiKey,
            googleAppID: isRegistered ? "1:123:ios:abc" : nil,
            bundleID: isRegistered ? PushDeployment.bundleID : nil
        )
    }

    static func store(_ folder: TemporaryFolder) -> FileStore { FileStore(folder: URL(fileURLWithPath: folder.path)) }

    /// Repeats a call while it fails with this error, for up to a minute.
    func retry<Value>(
        while code: AuthErrorCode,
        isolation: isolated (any Actor)? = #isolation,
        _ call: () async throws -> Value
    ) async throws -> Value {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try await call()
            } catch let error where AuthErrorCode(error) == code && ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// Signs in by phone in development mode.
    @discardableResult func signIn(_ number: String, _ server: RunningServer) async throws -> AuthDataResult {
        try await auth.signIn(with: try await credential(number, server))
    }

    /// Requests a code in development mode, and returns the credential with this code.
    func credential(
        _ number: String,
        _ server: RunningServer,
        session: MultiFactorSession? = nil
    ) async throws -> PhoneAuthCredential {
        let id = try await phone.verifyPhoneNumber(number, multiFactorSession: session)
        return phone.credential(withVerificationID: id, verificationCode: try server.code(of: id))
    }
}
