import Foundation
import Processes
import Synchronization
import TestServers

@testable import DialtoneAuth

/// A mock server with kept connections. It listens until the process ends, because tests keep only its URL.
final class StandIn: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let text: String

        var body: String { text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }
    }

    struct Answer: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = "{}"

        static func error(_ message: String, status: Int = 400, headers: [String: String] = [:]) -> Answer {
            Answer(
                status: status,
                headers: headers,
                body: #"{"error":{"code":\#(status),"message":"\#(message)","status":"INVALID_ARGUMENT"}}"#
            )
        }
    }

    private let server: RawServer
    private let received: Mutexed<[Request]>

    init(_ answer: @escaping @Sendable (Request) -> Answer?) throws {
        let received = Mutexed<[Request]>([])
        self.received = received
        server = try RawServer { connection in
            while let text = connection.readRequest() {
                let words = text.split(separator: " ", maxSplits: 2)
                let request = Request(method: String(words[0]), path: String(words[1]), text: text)
                received.with { $0.append(request) }
                guard let answer = answer(request) else { return }
                var head = "HTTP/1.1 \(answer.status) Status\r\nContent-Length: \(answer.body.utf8.count)\r\n"
                for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
                guard connection.write(head + "\r\n" + answer.body) else { return }
            }
        }
    }

    var url: String { server.url }
    var requests: [Request] { received.with { $0 } }

    func requests(of path: String) -> [Request] { requests.filter { $0.path.hasPrefix(path) } }
}

/// A value that several threads can change.
final class Mutexed<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    func with<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try mutex.withLock { value in try body(&value) }
    }
}

/// Returns an ID token with these times, which nothing verifies.
func idToken(
    of uid: String,
    issuedAt: Date = Date(),
    life: TimeInterval = 3600,
    provider: String = "phone",
    audience: String = #""demo""#,
    nonce: Int = 0
) -> String {
    let issued = Int(issuedAt.timeIntervalSince1970)
    let payload = """
        {"sub":"\(uid)","aud":\(audience),"iat":\(issued),"exp":\(issued + Int(life)),"auth_time":\(issued),"nonce":\(nonce),\
        "phone_number":"+16505550101","firebase":{"sign_in_provider":"\(provider)"}}
        """
    let base64 = Data(payload.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    return "e30.\(base64).c2ln"
}

/// Returns the current time as a `Date` header field.
func httpDate() -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date())
}

/// An app for one test, with a store in a folder that is removed with the value.
struct TestApp {
    let folder: TemporaryFolder
    let auth: Auth

    init(_ url: String, folder: TemporaryFolder? = nil, environment: AuthEnvironment = AuthEnvironment()) throws {
        self.folder = try folder ?? TemporaryFolder(prefix: "dialtone-auth")
        let app = DialtoneApp(
            name: "test",
            options: DialtoneOptions(url: URL(string: url), apiKey: "demo-key"),
            store: FileStore(folder: URL(fileURLWithPath: self.folder.path).appendingPathComponent("store"))
        )
        auth = Auth(app, environment)
        app.auth.withLock { [auth] in $0 = auth }
    }

    /// Makes a user current, as a sign-in does.
    func signIn(_ uid: String, token: String? = nil, refreshToken: String = "refresh-0") throws -> User {
        let tokens = try Tokens(idToken: token ?? idToken(of: uid), refreshToken: refreshToken)
        let user = User(auth, Account(uid: uid), tokens)
        try auth.become(user, since: auth.signOuts)
        return user
    }
}
