import FastCGI
import Glibc
import Processes
import Threads

/// A whole deployment in a temporary folder, on loopback: a private Redis, workers that share one socket, and nginx.
///
/// It may also listen on another address. Its processes are killed when this process ends, for any reason. The folder
/// is removed when the deployment stops.
struct DevelopmentServer {
    /// One process of the deployment.
    private struct Member {
        let name: String
        let process: ChildProcess
        let log: String?
    }

    private let address: NetworkAddress?
    let port: UInt16
    let project: String
    private let unsignedTokens: Bool
    private let folder: TemporaryFolder
    private let listener: Listener
    private var members: [Member] = []

    /// Starts everything and waits until the server responds.
    /// - Throws: a one-line ``Failure``, after everything has been cleaned up.
    init(
        address: NetworkAddress?,
        port: UInt16,
        workers: Int,
        project: String,
        unsignedTokens: Bool,
        nginxFolder: String,
        site: String?,
        executable: String
    ) throws {
        self.address = address
        self.port = port
        self.project = project
        self.unsignedTokens = unsignedTokens
        for tool in ["redis-server", "nginx"] where findExecutable(tool) == nil {
            throw Failure("\(tool) is not installed (apt-get install redis-server nginx)")
        }
        for address in [NetworkAddress.loopback, address].compactMap(\.self) {
            guard let fault = address.fault(listeningOn: port) else { continue }
            if fault == EADDRNOTAVAIL { throw Failure("--listen \(address.text): not an address of this machine") }
            throw Failure("port \(port) is in use by another program; choose another one with --port")
        }
        let site = try site.map { path in try readFile(path, named: "--site \(path.debugDescription)") }
        folder = try TemporaryFolder()
        listener = try Listener(.unix(path: folder.path(of: "worker.sock")))
        do {
            try startRedis()
            try adoptRedis(executable)
            try startWorkers(workers, executable)
            try startNginx(nginxFolder, site)
            try waitUntilReady()
        } catch {
            stop()
            throw error
        }
    }

    /// Waits for Ctrl-C.
    /// - Throws: ``Failure`` if one of the processes ends before that.
    func waitForStop() throws(Failure) {
        while StopSignals.wait(atMost: .milliseconds(200)) == nil {
            try checkMembers()
        }
    }

    /// Stops all processes in the order in which a request passes them: nginx first, Redis last.
    func stop() {
        for member in members.reversed() { member.process.stop(member.name == "nginx" ? SIGQUIT : SIGTERM) }
        folder.remove()
    }

    private mutating func startRedis() throws {
        printLine("Starting Redis on a private socket …")
        let log = folder.path(of: "redis.log")
        let process = try ChildProcess.start(
            "redis-server",
            [
                "--port", "0", "--unixsocket", folder.path(of: "redis.sock"), "--unixsocketperm", "600",
                "--save", "", "--dir", folder.path, "--loglevel", "warning",
            ],
            output: .file(path: log),
            errors: .file(path: log)
        )
        members.append(Member(name: "redis-server", process: process, log: log))
    }

    /// Creates the keys, waits for Redis, and makes it theirs.
    private func adoptRedis(_ executable: String) throws {
        printLine("Creating keys …")
        try createPrivateFile(folder.path(of: "keys.json"), try NewKeys.keyFile())
        try createPrivateFile(folder.path(of: "dialtone.conf"), Array(settings.utf8))
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let adoption = try FinishedProcess.run(
                executable,
                ["redis", "adopt", "--config", folder.path(of: "dialtone.conf")],
                environment: Self.environment
            )
            if adoption.status == .exited(0) { return }
            try checkMembers()
            guard ContinuousClock.now < deadline else { throw Failure(adoption.errors) }
            usleep(20_000)
        }
    }

    /// This process's environment without the deployment's own settings: environment variables take precedence over
    /// the file.
    private static var environment: [String: String] {
        processEnvironment().filter { !ownSettings.contains($0.key) }
    }

    private mutating func startWorkers(_ count: Int, _ executable: String) throws {
        printLine("Starting \(count) workers …")
        for number in 1...count {
            let process = try ChildProcess.start(
                executable,
                ["worker", "--config", folder.path(of: "dialtone.conf")],
                environment: Self.environment,
                inheriting: [(descriptor: listener.descriptor, as: 3)]
            )
            members.append(Member(name: "worker \(number)", process: process, log: nil))
        }
    }

    private mutating func startNginx(_ nginxFolder: String, _ site: [UInt8]?) throws {
        printLine("Starting nginx …")
        for name in NginxConfiguration.includedFiles {
            try createPrivateFile(folder.path(of: name), try readFile("\(nginxFolder)/\(name)"))
        }
        // A copy, because paths in nginx's configuration may be patterns.
        if let site { try createPrivateFile(folder.path(of: "site.conf"), site) }
        let loopback = [NetworkAddress.loopback, .loopbackIPv6].filter { $0.fault(listeningOn: port) == nil }
        let configuration = NginxConfiguration(
            addresses: (loopback + [address].compactMap(\.self)).map(\.inURL),
            port: port,
            workerSocket: folder.path(of: "worker.sock"),
            site: site.map { _ in "site.conf" }
        )
        try createPrivateFile(folder.path(of: "nginx.conf"), Array(configuration.text.utf8))
        let log = folder.path(of: "nginx.log")
        let process = try ChildProcess.start(
            "nginx",
            ["-p", folder.path, "-c", folder.path(of: "nginx.conf"), "-e", "stderr"],
            output: .file(path: log),
            errors: .file(path: log)
        )
        members.append(Member(name: "nginx", process: process, log: log))
    }

    /// The settings that connect this deployment's processes. If they are in the environment, they belong to another
    /// deployment.
    private static let ownSettings: Set<String> = [
        "DIALTONE_MODE", "DIALTONE_PROJECTS", "DIALTONE_KEY_FILE", "DIALTONE_LISTEN", "DIALTONE_DRAIN_SECONDS",
        "DIALTONE_METRICS_FOLDER",
        "DIALTONE_DEVELOPMENT_TOKENS", "DIALTONE_REDIS_ADDRESS", "DIALTONE_REDIS_USER", "DIALTONE_REDIS_PASSWORD",
        "DIALTONE_REDIS_DATABASE", "DIALTONE_REDIS_REPLICAS_BEFORE_ANSWER", "DIALTONE_REDIS_SENTINEL_USER",
        "DIALTONE_REDIS_SENTINEL_PASSWORD", "DIALTONE_REDIS_TLS_CA_FILE", "DIALTONE_REDIS_TLS_CERTIFICATE_FILE",
        "DIALTONE_REDIS_TLS_KEY_FILE", "DIALTONE_REDIS_TLS_SERVER_NAME",
    ]

    /// The project number is the reference emulator's. Rate limits are high: developers send many codes to few numbers,
    /// and test suites try many wrong passwords.
    private var settings: String {
        """
        DIALTONE_MODE=development
        DIALTONE_DEVELOPMENT_TOKENS=\(unsignedTokens ? "unsigned" : "signed")
        DIALTONE_PROJECTS=\(project)
        \(ProjectValues.name(of: \.number, prefix: SettingName.project(project)))=12345
        DIALTONE_KEY_FILE=\(folder.path(of: "keys.json"))
        DIALTONE_LISTEN=fd:3
        DIALTONE_DRAIN_SECONDS=0
        DIALTONE_METRICS_FOLDER=\(folder.path(of: "metrics"))
        DIALTONE_REDIS_ADDRESS=unix:\(folder.path(of: "redis.sock"))
        DIALTONE_SENDS_PER_NUMBER_PER_HOUR=1000
        DIALTONE_SENDS_PER_NUMBER_PER_DAY=10000
        DIALTONE_SENDS_PER_NETWORK_PER_HOUR=1000000
        DIALTONE_SENDS_PER_APP_CREDENTIAL_PER_HOUR=1000000
        DIALTONE_SENDS_PER_APP_CREDENTIAL_PER_DAY=1000000
        DIALTONE_SENDS_PER_PROJECT_PER_HOUR=0
        DIALTONE_SENDS_PER_PROJECT_PER_DAY=0
        DIALTONE_MAILS_PER_ADDRESS_PER_HOUR=0
        DIALTONE_MAILS_PER_NETWORK_PER_HOUR=0
        DIALTONE_MAILS_PER_PROJECT_PER_HOUR=0
        DIALTONE_MAILS_PER_PROJECT_PER_DAY=0
        DIALTONE_SMS_BREAKER=record
        DIALTONE_PUSHES_PER_NETWORK_PER_HOUR=1000000
        DIALTONE_WRONG_CODES_BEFORE_WAIT=100
        DIALTONE_WRONG_PASSWORDS_PER_EMAIL_AND_NETWORK_PER_HOUR=1000000
        DIALTONE_WRONG_PASSWORDS_PER_EMAIL_PER_DAY=1000000
        DIALTONE_WRONG_PASSWORDS_PER_NETWORK_PER_HOUR=1000000

        """
    }

    private func waitUntilReady() throws(Failure) {
        let deadline = ContinuousClock.now + .seconds(20)
        while NetworkAddress.loopback.status(of: "/readyz", port: port) != 200 {
            try checkMembers()
            guard StopSignals.wait(atMost: .zero) == nil else { throw Failure("stopped before the server was ready") }
            guard ContinuousClock.now < deadline else { throw Failure("the server was not ready within 20 seconds") }
            usleep(20_000)
        }
    }

    private func checkMembers() throws(Failure) {
        for member in members {
            guard let status = member.process.waitForExit(atMost: .zero) else { continue }
            let log = member.log.flatMap { try? readFile($0) } ?? []
            let lastLine = String(decoding: log, as: UTF8.self).split(separator: "\n").last
            throw Failure("\(member.name) ended (\(status))" + (lastLine.map { ": \($0)" } ?? ""))
        }
    }
}
