import Encodings
import GatewayStandIn
import IntegrityStandIn
import PhoneAuth
import Synchronization
import TestServers

/// A deployment that takes over the sessions of a Firebase project, and a mock of Google's servers.
final class FirebaseDeployment: Sendable {
    private static let project = "PROJECT_DEMO_DIALTONE_"

    let google: GatewayServer
    let server: RunningServer
    private let tokens: FirebaseTokens
    /// The claims of Firebase's sessions, by refresh token.
    private let sessions = Mutex<[String: JSONObject]>([:])

    /// Starts everything.
    init(
        _ mode: RunningServer.Mode = .development,
        workers: Int = 1,
        settings: [String: String] = [:],
        isOn: Bool = true
    ) async throws {
        google = try await GatewayServer.start(isPlain: true)
        tokens = try FirebaseTokens()
        let own = [
            Self.project + "FIREBASE_SESSIONS_UNTIL": "2099-01-01", Self.project + "FIREBASE_API_KEY": "AIza-key",
            Self.project + "FIREBASE_PROJECT_ID": FirebaseTokens.project, Self.project + "FIREBASE_URL": google.url,
        ]
        server = try RunningServer(
            mode,
            workers: workers,
            settings: isOn ? own.merging(settings) { $1 } : settings
        )
        google.always { [unowned self] in reply(to: $0) }
    }

    /// The exchanges that reached Google.
    var exchanges: Int { google.requests.count { $0.method == "POST" } }

    /// Signs a user in at Firebase, and returns the refresh token.
    func signInAtFirebase(
        _ uid: String,
        provider: String = "phone",
        secondsAgo: Int64 = 86_400,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) -> String {
        let now = Environment.system.now().seconds
        var claims = FirebaseTokens.claims(of: uid, at: now, signedInAt: now - secondsAgo, provider: provider)
        change(&claims)
        let random = Environment.system.randomBytes(120)
        let token = "AMf-vB" + Base64URL.string(random)
        sessions.withLock { $0[token] = claims }
        return token
    }

    /// Imports a Firebase user with a phone number.
    func importUser(_ uid: String, _ number: String, fields: String = "") throws {
        let user = #"{"localId":"\#(uid)","phoneNumber":"\#(number)"\#(fields)}"#
        let answer = try server.administer("batchCreate", #"{"users":[\#(user)]}"#)
        guard answer.status == 200, answer.json["error"] == nil else { throw ServerFailure(description: answer.text) }
    }

    private func reply(to request: ReceivedRequest) -> Reply {
        guard request.method == "POST" else { return .answer(200, tokens.published) }
        let token = request.form["refresh_token"] ?? ""
        guard let claims = sessions.withLock({ $0[token] }), let idToken = try? tokens.idToken(claims) else {
            return .answer(400, #"{"error":{"code":400,"message":"INVALID_REFRESH_TOKEN"}}"#)
        }
        return .answer(200, FirebaseTokens.answer(idToken: idToken, refreshToken: token))
    }
}
