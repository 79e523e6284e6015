import Encodings
import Redis
import TestServers
import Testing

/// The data that an earlier version of Dialtone stored, written by `Tests/StoredData/make`.
struct StoredData {
    /// A server of this version with the earlier version's data and keys.
    let server: RunningServer
    private let users: JSONObject

    init(_ name: String) throws {
        let document = readFile("\(RunningServer.packageFolder)/Tests/StoredData/\(name).json")
        guard case .object(let data) = try JSONValue.parse(Array(document.utf8)) else {
            throw ServerFailure(description: "\(name) is not a JSON object")
        }
        users = data.object("users")
        let redis = try RedisServer.start()
        try Self.restore(data, to: redis)
        server = try RunningServer(.development, redis: redis, keys: data.object("keys"))
    }

    /// Returns what `make` recorded about a stored user.
    func user(_ name: String) -> JSONObject { users.object(name) }

    private static func restore(_ data: JSONObject, to redis: RedisServer) throws {
        guard case .array(let keys) = data["redis"] else { throw ServerFailure(description: "no keys are stored") }
        let connection = Connection(
            ConnectionConfiguration(servers: ServerList(.unix(path: redis.socketPath)), connectTimeout: .seconds(5))
        )
        for key in keys {
            guard case .array(let parts) = key, parts.count == 3, case .string(let name) = parts[0],
                case .number(let life) = parts[1], case .string(let text) = parts[2],
                let value = Base64.decode(eitherAlphabet: text.utf8)
            else { throw ServerFailure(description: "a stored key has another form") }
            try #require(
                try connection.send(Command("RESTORE", .text(name), .text(life), .bytes(value))) == .status("OK")
            )
        }
    }
}
