import Passwords
import PhoneNumbers
import Redis
import Testing
import TestServers
@testable import PhoneAuth

@testable import RedisScripts

/// A deployment for one test: a database of the shared Redis, keys, a clock and random bytes.
///
/// Each authenticator has its own connection, as each thread of a worker does.
final class Deployment: Sendable {
    let project = Project(
        id: "demo-app",
        authorizedDomains: ["localhost"],
        apps: [.demo, .withoutPush]
    )
    /// The same project with every first factor enabled.
    let projectWithEverything = Project(
        id: "demo-app",
        authorizedDomains: ["localhost"],
        isAnonymousSignInEnabled: true,
        isPasswordSignInEnabled: true
    )
    let clock: SettableEnvironment
    let keys: ServerKeys
    let policy: Policy
    private let redis: SharedRedisServer
    let database: Int
    private let phoneNumbers = PhoneNumbers(cacheCapacity: 0)

    init(seed: UInt64 = 1, policy change: (inout Policy) -> Void = { _ in }) throws {
        redis = try #require(SharedRedis.current)
        database = redis.nextDatabase()
        clock = SettableEnvironment(seed: seed)
        keys = try TestKeys.make()
        var policy = Policy()
        // Many tests send to neighboring numbers without verifying codes. Only tests of toll fraud enforce its rules.
        policy.tollFraud.mode = .record
        // Many tests send from one network, which gets a tenth of a project's messages.
        policy.sendsPerProjectPerHour = 0
        policy.sendsPerProjectPerDay = 0
        change(&policy)
        self.policy = policy
    }

    var socketPath: String { redis.server.socketPath }

    /// Returns a proxy in front of the deployment's Redis.
    func proxy() throws -> RedisProxy { try RedisProxy(to: redis.server) }

    /// Returns the authenticator of a worker, which reads test numbers in each call. With `proxy`, the authenticator
    /// reaches Redis through it. With `cluster`, it uses the servers of that list instead. Only if it `comparesMarks`
    /// must its keys be those of the deployment's Redis.
    func authenticator(
        over proxy: RedisProxy? = nil,
        cluster: ServerList? = nil,
        keys: ServerKeys? = nil,
        comparesMarks: Bool = false,
        shards: ShardCount = .standard,
        appVerification: AppVerification = .trustEveryone,
        passwordHashing: PasswordHashing? = nil,
        hooks: TestHooks? = nil,
        withoutCommand command: String? = nil,
        replicaConfirmation: ReplicaConfirmation? = nil,
        caches: StoreCaches = StoreCaches(lifetime: .zero),
        droppedSteps: DroppedSteps? = nil,
        policy change: (inout Policy) -> Void = { _ in }
    ) -> Authenticator {
        var policy = policy
        change(&policy)
        let configuration = ConnectionConfiguration(
            servers: cluster ?? ServerList(.unix(path: proxy?.socketPath ?? redis.server.socketPath)),
            user: command.map(user(without:)),
            password: command.map { _ in Self.userPassword },
            database: cluster == nil ? database : 0,
            connectTimeout: .seconds(60),
            commandTimeout: .seconds(60),
            replicaConfirmation: replicaConfirmation
        )
        let keys = keys ?? self.keys
        let marks: @Sendable () -> DeploymentMarks = { keys.deploymentMarks }
        return Authenticator(
            store: Store(
                configuration,
                shards: shards,
                projects: [project.id],
                marks: comparesMarks ? marks : nil
            ),
            keys: keys,
            policy: policy,
            phoneNumbers: phoneNumbers,
            appVerification: appVerification,
            caches: caches,
            passwordHashing: passwordHashing,
            blockingHookSlots: hooks?.slots,
            environment: clock.environment,
            logDroppedStep: { droppedSteps?.add($0) }
        )
    }

    /// Makes the Redis the deployment's.
    func adoptRedis(withData: Bool = false) throws -> RedisAdoption {
        let configuration = ConnectionConfiguration(
            servers: ServerList(.unix(path: redis.server.socketPath)),
            database: database
        )
        return try Store.adopt(configuration, shards: .standard, marks: keys.deploymentMarks, withData: withData)
    }

    private static let userPassword = "password of a test"

    /// Returns a Redis user of this deployment without permission for a command, so that scripts fail halfway.
    private func user(without command: String) -> String {
        let name = "test-\(database)-without-\(command)"
        // Each new connection reads the deployment's marks.
        let marks = "(+hgetall ~dt:{/}:deployment)"
        cli("ACL", "SETUSER", name, "on", ">" + Self.userPassword, "~*", "&*", "+@all", "-" + command, marks)
        return name
    }

    /// Runs a redis-cli command on the deployment's database and returns its output.
    @discardableResult func cli(_ arguments: String...) -> String {
        redis.server.cli(["-n", String(database)] + arguments)
    }

    /// Shortens the lives of all session locks by a minute of Redis's clock, so that the locks no longer hold.
    func endLocks() {
        for lock in keyNames(matching: "*:lock:*") {
            let life = Int(cli("PTTL", lock).prefix { $0.isNumber }) ?? 0
            cli("PEXPIRE", lock, String(life - 60_000))
        }
    }

    /// Returns the name of an account's hash.
    func accountKey(of uid: String) -> String? { keyNames(matching: "*:user:*").first { $0.hasSuffix(":" + uid) } }

    /// Returns all keys, sorted.
    func keyNames(matching pattern: String = "*") -> [String] {
        cli("KEYS", pattern).split(whereSeparator: \.isNewline).map(String.init)
            .sorted()
    }

    /// Returns every key with its type and value as redis-cli prints them.
    func contents() -> [String: String] {
        let reading = [
            "string": ["GET"], "hash": ["HGETALL"], "zset": ["ZRANGE", "0", "-1", "WITHSCORES"],
            "stream": ["XRANGE", "-", "+"],
        ]
        var contents: [String: String] = [:]
        for key in keyNames() {
            let type = cli("TYPE", key)
            let command = reading[type] ?? ["DUMP"]
            contents[key] = type + "\n" + redis.server.cli(["-n", String(database), command[0], key] + command[1...])
        }
        return contents
    }

    /// Returns the same with the lines of each value sorted, because hashes have no order.
    func sortedContents() -> [String: [Substring]] {
        lastingContents().mapValues { $0.split(separator: "\n").sorted() }
    }

    /// Returns the same as ``contents()`` without rates: after one event, the key of a high maximum expires within
    /// seconds.
    func lastingContents() -> [String: String] { contents().filter { !$0.key.contains(":rate:") } }
}

extension RegisteredApp {
    static let demo = registered("ios", "com.example.demo", hasPush: true)
    static let withoutPush = registered("old", "com.example.old", hasPush: false)

    private static func registered(_ name: String, _ bundleID: String, hasPush: Bool) -> RegisteredApp {
        do {
            return try RegisteredApp(name: name, bundleID: bundleID, appID: nil, clientID: nil, hasPush: hasPush)
        } catch {
            fatalError("\(error)")
        }
    }
}

extension Requester {
    /// An operator on the command line whose name is unknown.
    static let commandLine = Requester.commandLine(as: "")
}
