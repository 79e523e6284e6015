import ArgumentParser
import Delivery
import Glibc
import Logging
import PhoneAuth
import PhoneNumbers
import Redis
import RedisScripts
import SMSGateways
import Threads

/// `dialtone dispatcher`: sends the messages and pushes that workers have queued, until it is stopped.
struct DispatcherCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dispatcher",
        abstract: "Send the text messages, mails and silent pushes that workers have queued.",
        discussion: """
            It also deletes unused anonymous accounts of projects that enable this. Any number of dispatchers share \
            the work; if one dies, no message is lost.
            """
    )

    @OptionGroup var settings: SettingsOptions

    func run() throws {
        StopSignals.block(inService: true)
        let settings = try settings.load()
        try settings.requireHTTPLibrary()
        let keys = try settings.loadKeys()
        let logLevel = settings.logLevel
        let logger = Logger(label: "dialtone.dispatcher") { _ in JSONLogHandler(logLevel: logLevel) }
        try settings.requireOwnRedis(keys) {
            logger.warning("Redis does not answer yet", metadata: ["reason": "\($0)"])
        }
        _ = settings.shareMetrics(as: "dispatcher", logger)
        let keyFileWatch = KeyFileWatch(settings.keyFile, keys, settings.policy, .system, logger)
        try Failure.wrapping(keyFileWatch.start(beside: settings.numberingFileWatch(logger)))
        let client = try settings.apnsClient()
        let gatewayClients = try settings.gatewayClients()
        let routes = settings.messageRoutes(gatewayClients)
        if routes == nil { logger.warning("no SMS gateway is configured: text messages stay in the outbox") }
        var credentials: [Dispatcher.App: APNsCredential] = [:]
        for (project, app, setting) in settings.apnsCredentials {
            let name = Dispatcher.App(project: project.id, bundleID: app.bundleID)
            credentials[name] = try settings.loadCredential(setting)
        }
        let dispatcher = Dispatcher(
            name: Self.uniqueName(),
            connect: { settings.authenticator(keys, for: .server, of: $0, logger) },
            pushes: (client, credentials),
            routes: routes,
            mailGateways: try settings.mailGateways(gatewayClients),
            projects: settings.projects,
            isCluster: settings.redis.servers.isCluster,
            environment: .system,
            logger: logger
        )
        try StopSignals.whenStopped { _ in dispatcher.stop() }
        let isAlive = { @Sendable in dispatcher.isAlive }
        try Failure.wrapping(ServiceManager().supervise({ settings.redisProblem(keys) }, isAlive: isAlive))
        let processID = Logger.MetadataValue.stringConvertible(Int(getpid()))
        logger.info(
            "dispatching",
            metadata: [
                "apps": .stringConvertible(credentials.count),
                "gateways": .stringConvertible(gatewayClients.count), "processId": processID,
            ]
        )
        waitFor {
            await dispatcher.run()
            await client.shutDown()
            for gatewayClient in gatewayClients.values { await gatewayClient.shutDown() }
        }
        logger.info("stopped", metadata: ["processId": processID])
    }

    /// Returns a name that no other dispatcher has. If a dispatcher dies, others take over the items that it held under
    /// its name.
    private static func uniqueName() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
