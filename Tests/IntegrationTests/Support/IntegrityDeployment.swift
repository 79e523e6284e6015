import Encodings
import IntegrityStandIn
import PhoneAuth
import Processes
import TestServers

@testable import dialtone

/// A deployment in production mode with an Android app that proves itself by Play Integrity.
final class IntegrityDeployment: Sendable {
    static let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

    let server: RunningServer
    let tokens: IntegrityTokens
    private let files: TemporaryFolder

    /// Starts everything. Tokens are decoded with the app's keys, or by the server for a service account.
    init(serviceAccount: String? = nil, settings: [String: String] = [:], workers: Int = 1) throws {
        tokens = try IntegrityTokens()
        files = try TemporaryFolder(prefix: "dialtone-integrity")
        try files.write(serviceAccount ?? tokens.keyFile(), to: "keys")
        let app = "PROJECT_DEMO_DIALTONE_APP_ANDROID_"
        let own = [
            "PROJECT_DEMO_DIALTONE_APPS": "android",
            app + "PACKAGE_NAME": IntegrityTokens.packageName,
            app + "PLAY_INTEGRITY_PROJECT_NUMBER": "123456789012",
            app + "CERTIFICATE_DIGESTS": Hexadecimal.encode(IntegrityTokens.certificateDigest),
            app + (serviceAccount == nil ? "PLAY_INTEGRITY_KEY_FILE" : "PLAY_INTEGRITY_SERVICE_ACCOUNT_FILE"):
                files.path(of: "keys"),
        ]
        server = try RunningServer(.production, workers: workers, settings: own.merging(settings) { $1 })
    }

    /// Returns the payload of a genuine token bound to a number, or to another subject.
    func payload(for subject: String, secondsAgo seconds: Int64 = 1) -> JSONObject {
        let now = Environment.system.now().milliseconds
        return IntegrityTokens.payload(for: subject, at: now - seconds * 1000)
    }

    /// Returns a genuine token.
    func token(for subject: String) throws -> String { try tokens.token(payload(for: subject)) }

    // MARK: Requests of the Android SDK

    func send(
        _ number: String,
        _ token: String,
        packageName: String = IntegrityTokens.packageName,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try server.post(
            Self.path + "sendVerificationCode",
            #"{"phoneNumber":"\#(number)","playIntegrityToken":"\#(token)","clientType":"CLIENT_TYPE_ANDROID"}"#,
            from: address,
            headers: Self.headers(packageName)
        )
    }

    static func headers(_ packageName: String = IntegrityTokens.packageName) -> [(String, String)] {
        [("X-Android-Package", packageName), ("X-Android-Cert", String(repeating: "4F", count: 20))]
    }
}
