import Encodings
import GatewayStandIn
import PhoneAuth
import Processes
import TestServers

@testable import dialtone

/// A deployment in development mode with webhooks as gateways.
final class MessageDeployment: Sendable {
    static let secret = "0123456789abcdef0123456789abcdef"

    let server: RunningServer
    let first: GatewayServer
    let second: GatewayServer

    /// Starts everything except a dispatcher. The gateways are named `first` and `second`.
    static func start(
        routes: String = "*=first,second",
        settings: [String: String] = [:],
        workers: Int = 1,
        redis: RedisServer? = nil
    ) async throws -> MessageDeployment {
        let first = try await GatewayServer.start(isPlain: true)
        let second = try await GatewayServer.start(isPlain: true)
        return try MessageDeployment(first, second, routes, settings, workers, redis)
    }

    private init(
        _ first: GatewayServer,
        _ second: GatewayServer,
        _ routes: String,
        _ settings: [String: String],
        _ workers: Int,
        _ redis: RedisServer?
    ) throws {
        self.first = first
        self.second = second
        var own = [
            "GATEWAYS": "first,second", "GATEWAY_ROUTES": routes, "RECEIPT_URL": "https://auth.example.com",
            "SENDS_PER_NETWORK_PER_HOUR": "100000",
        ]
        for (name, gateway) in [("FIRST", first), ("SECOND", second)] {
            own["GATEWAY_\(name)_KIND"] = "webhook"
            own["GATEWAY_\(name)_URL"] = gateway.url + "/messages"
            own["GATEWAY_\(name)_SECRET"] = Self.secret
        }
        server = try RunningServer(.development, workers: workers, settings: own.merging(settings) { $1 }, redis: redis)
    }

    /// Returns the messages that a gateway has received.
    static func messages(_ gateway: GatewayServer) -> [(to: String, text: String, id: String)] {
        gateway.requests.map { ($0.object.text("to"), $0.object.text("text"), $0.object.text("id")) }
    }

    /// Opens a session for each of `count` numbers in the US, without a worker.
    func enqueue(_ count: Int) throws {
        let settings = try Settings(SettingsSource(file: server.configuration, environment: [:]))
        let keys = try settings.loadKeys()
        let project = try settings.project("demo-dialtone")
        _ = try inParallel(4) { thread in
            let authenticator = settings.authenticator(keys)
            for number in stride(from: thread, to: count, by: 4) {
                let digits = String(number)
                _ = try authenticator.operation(in: project).sendVerificationCode(
                    SendVerificationCodeRequest(
                        phoneNumber: "+1650555" + String(repeating: "0", count: 4 - digits.count) + digits,
                        credential: .absent,
                        app: .web,
                        client: .network(address: "127.0.0.1", apiKey: "key"),
                        locale: ""
                    )
                )
            }
        }
    }

    /// The number of messages that wait for their next attempt or for room at a gateway, and that no dispatcher holds.
    var waiting: Int {
        Int(server.redis.cli("ZCARD", "dt:{demo-dialtone}:outbox:waiting")) ?? -1
    }

    /// Waits until `dialtone outbox` shows all texts: a dispatcher counts a message after removing it from the outbox.
    func isShownInOutbox(_ texts: String...) -> Bool {
        eventually(every: .milliseconds(100)) {
            let output = (try? server.dialtone("outbox").output) ?? ""
            return texts.allSatisfy { output.contains($0) }
        }
    }

    /// The number of messages that wait or are being sent.
    var queued: Int { Int(server.redis.cli("-c", "XLEN", "dt:{demo-dialtone}:outbox")) ?? -1 }
}
