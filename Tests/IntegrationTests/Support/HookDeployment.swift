import APNsStandIn
import Encodings
import GatewayStandIn
import Processes
import TestServers

/// A deployment whose project has hooks, served by a test server with TLS.
final class HookDeployment: Sendable {
    let server: RunningServer
    let hooks: GatewayServer
    private let files: TemporaryFolder

    /// Starts everything. Without queued replies, the hooks allow everything.
    static func start(
        events: [String] = ["CREATE", "SIGN_IN"],
        settings: [String: String] = [:],
        workers: Int = 1
    ) async throws -> HookDeployment {
        try HookDeployment(try await GatewayServer.start(), events, settings, workers)
    }

    private init(
        _ hooks: GatewayServer,
        _ events: [String],
        _ settings: [String: String],
        _ workers: Int
    ) throws {
        self.hooks = hooks
        files = try TemporaryFolder(prefix: "dialtone-hooks")
        try files.write(hooks.authority.certificatePEM, to: "authority.pem")
        var own = ["BLOCKING_HOOK_TRUST_FILE": files.path(of: "authority.pem")]
        for event in events {
            own["PROJECT_DEMO_DIALTONE_BEFORE_\(event)_URL"] = hooks.url + "/\(event.lowercased())?token=hidden-token"
        }
        server = try RunningServer(.development, workers: workers, settings: own.merging(settings) { $1 })
    }

    /// Requests a code for a number, and returns the session and the code.
    func answer(_ number: String) throws -> (session: String, code: String) {
        let session = try server.openVerification(number)
        return (session, try server.code(of: session))
    }

    func signIn(_ number: String, headers: [(String, String)] = []) throws -> HTTPAnswer {
        let answer = try answer(number)
        return try server.signIn(answer.session, answer.code, headers: headers)
    }

    /// The unverified claims of each event so far.
    var events: [JSONObject] {
        hooks.requests.compactMap { request in
            guard case .object(let data) = request.object["data"] else { return nil }
            return try? idTokenClaims(data.text("jwt"))
        }
    }

    /// The uids of all accounts.
    func accounts() -> [String] {
        server.redis.cli("KEYS", "dt:{u*}:user:*").split(whereSeparator: \.isNewline).map {
            String($0.split(separator: ":").last ?? "")
        }
    }
}

extension Reply {
    /// Returns a reply that allows the sign-in and has these members of `userRecord`.
    static func changing(_ mask: String, _ members: String) -> Reply {
        .answer(200, #"{"userRecord":{"updateMask":"\#(mask)",\#(members)}}"#)
    }
}
