import ArgumentParser
import Encodings
import FastCGI
import Glibc
import HookCalls
import IdentityToolkit
import Logging
import Metrics
import Passwords
import PhoneAuth
import PhoneNumbers
import RedisScripts
import Threads

/// `dialtone worker`: answers FastCGI requests until it is stopped.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Answer verification and sign-in requests behind nginx."
    )

    @OptionGroup var settings: SettingsOptions

    func run() throws {
        StopSignals.block(inService: true)
        Heap.keepSmall()
        let settings = try settings.load()
        if settings.callsOtherServers { try settings.requireHTTPLibrary() }
        let keys = try settings.loadKeys()
        let logLevel = settings.logLevel
        let logger = Logger(label: "dialtone.worker") { _ in JSONLogHandler(logLevel: logLevel) }
        if settings.policy.development?.issuesUnsignedTokens == true {
            logger.warning("ID TOKENS ARE NOT SIGNED: anyone can forge them")
        }
        try settings.requireOwnRedis(keys) {
            logger.warning("Redis does not answer yet", metadata: ["reason": "\($0)"])
        }
        let metricsFolder = settings.shareMetrics(as: "worker", logger)
        settings.phoneNumbers.warmUp()

        let server = try Failure.wrapping(
            Server(listener: Listener(settings.listen), configuration: settings.server)
        )
        let readiness = Readiness()
        try stopOnSignal(server, readiness, drain: settings.drain, logger)

        let keyFileWatch = KeyFileWatch(settings.keyFile, keys, settings.policy, .system, logger)
        try Failure.wrapping(keyFileWatch.start(beside: settings.numberingFileWatch(logger)))
        let isAlive = { @Sendable in !server.isStuck(for: .seconds(60)) }
        try Failure.wrapping(ServiceManager().supervise({ settings.redisProblem(keys) }, isAlive: isAlive))
        try serve(server, settings, keys, readiness, metricsFolder, logger)
        logger.info("stopped", metadata: ["processId": .stringConvertible(Int(getpid()))])
    }

    /// Answers requests until the server stops.
    private func serve(
        _ server: Server,
        _ settings: Settings,
        _ keys: ServerKeys,
        _ readiness: Readiness,
        _ metricsFolder: MetricsFolder?,
        _ logger: Logger
    ) throws {
        let phoneNumbers = settings.phoneNumbers
        let passwordHashing = try passwordHashing(settings)
        let hookClient = try settings.blockingHookClient()
        defer { hookClient.shutDown() }
        let blockingHookSlots = BlockingHookSlots(servingThreads: settings.server.threads) { hookClient.post($0) }
        let caches = StoreCaches(settingsLifetime: settings.policy.settingsLifetime)
        let forwardedUsers = ForwardedUserCache()
        let policy = settings.policy
        let redis = settings.redisOfServingThreads
        let shards = settings.shards
        let projectIDs = settings.projects.map(\.id)
        let newStore: @Sendable () -> Store = {
            Store(redis, shards: shards, projects: projectIDs, marks: { keys.deploymentMarks })
        }
        let appVerification = try settings.appVerification()
        let firebaseTokens = settings.firebaseTokenExchange()
        let projects = settings.directory
        let providers = settings.challengeProviders
        let receiptSources = settings.gateways.receiptSources
        let adminInterface = settings.adminInterface.reporting(unset: settings.unsetGateways)
        let maxBodyBytes = settings.maxBodyBytes
        let requestDeadline = settings.requestDeadline
        ProgramCode.unmap()
        logger.info(
            "serving",
            metadata: ["address": "\(settings.listen)", "processId": .stringConvertible(Int(getpid()))]
        )
        do {
            try server.run {
                let authenticator = Authenticator(
                    store: newStore(),
                    keys: keys,
                    policy: policy,
                    phoneNumbers: phoneNumbers,
                    appVerification: appVerification,
                    caches: caches,
                    forwardedUsers: forwardedUsers,
                    passwordHashing: passwordHashing,
                    blockingHookSlots: blockingHookSlots,
                    environment: .system,
                    logDroppedStep: { logger.dropped($0) }
                )
                authenticator.firebaseTokens = firebaseTokens
                return IdentityToolkitHandler(
                    authenticator: authenticator,
                    projects: projects,
                    providers: providers,
                    receiptSources: receiptSources,
                    adminInterface: adminInterface,
                    readiness: readiness,
                    metricsFolder: metricsFolder,
                    maxBodyBytes: maxBodyBytes,
                    requestDeadline: requestDeadline,
                    logger: logger
                )
            }
        } catch {
            throw Failure("\(error)")
        }
    }

    /// Returns the threads that hash passwords. The process always has them, because operators may enable password
    /// sign-in at any time. The wait for a thread is bounded, so that a request that has waited can still reach Redis
    /// before its deadline.
    private func passwordHashing(_ settings: Settings) throws(Failure) -> PasswordHashing {
        var configuration = PasswordHashingConfiguration(servingThreads: settings.server.threads)
        configuration.patience = settings.requestDeadline / 2
        return try Failure.wrapping(PasswordHashing(configuration))
    }

    /// Waits for SIGTERM or SIGINT on its own thread. Then makes the readiness check fail and, after the drain time,
    /// closes the socket.
    private func stopOnSignal(_ server: Server, _ readiness: Readiness, drain: Duration, _ logger: Logger) throws {
        try StopSignals.whenStopped { _ in
            logger.info("draining", metadata: ["processId": .stringConvertible(Int(getpid()))])
            readiness.beginDraining()
            ActiveThreads.sleep(for: drain)
            server.stop()
        }
    }
}
