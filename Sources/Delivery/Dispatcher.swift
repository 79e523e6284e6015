public import Logging
public import MailGateways
public import PhoneAuth
public import SMSGateways

/// The dispatcher, which sends the messages, mails and pushes that workers have queued, and deletes unused anonymous
/// accounts.
public final class Dispatcher: Sendable {
    /// An app of a project.
    public struct App: Hashable, Sendable {
        let project: String
        let bundleID: BundleID

        /// Identifies an app.
        public init(project: String, bundleID: BundleID) {
            self.project = project
            self.bundleID = bundleID
        }
    }

    private let pushes: [OutboxDispatcher<SilentPushes>]
    private let messages: [OutboxDispatcher<GatewaySending<TextMessages>>]
    private let mails: [OutboxDispatcher<GatewaySending<Mails>>]
    private let anonymousAccounts: AnonymousAccountDeletion

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - name: a name that no other dispatcher has.
    ///   - connect: creates one thread's connection to the outboxes of some projects.
    ///   - pushes: sends silent pushes, and the credentials of all apps that use them.
    ///   - routes: the operator's SMS gateways. If nil, messages stay in the outbox.
    ///   - mailGateways: the operator's mail gateways, in order. If there are none, mails stay in the outbox.
    ///   - projects: all projects, with their templates.
    ///   - isCluster: whether each project's outboxes need connections of their own: no command reads several slots.
    ///   - environment: the clock.
    ///   - logger: logs each push and message, but never a full phone number, a code or a secret.
    public init(
        name: String,
        connect: @escaping @Sendable (_ projects: [String]) -> Authenticator,
        pushes: (client: APNsClient, credentials: [App: APNsCredential]),
        routes: MessageRoutes?,
        mailGateways: [any MailGateway],
        projects: [Project],
        isCluster: Bool,
        environment: Environment,
        logger: Logger
    ) {
        let ids = projects.map(\.id)
        anonymousAccounts = AnonymousAccountDeletion(connect: { connect(ids) }, projects: projects, logger: logger)
        func dispatchers<Work: OutboxWork>(_ work: Work) -> [OutboxDispatcher<Work>] {
            (isCluster ? ids.map { [$0] } : [ids]).map {
                OutboxDispatcher(
                    work,
                    of: $0,
                    name: name,
                    connect: connect,
                    environment: environment,
                    logger: logger
                )
            }
        }
        self.pushes = dispatchers(
            SilentPushes(
                client: pushes.client,
                credentials: pushes.credentials,
                environment: environment,
                logger: logger
            )
        )
        messages =
            routes.map {
                dispatchers(
                    GatewaySending(
                        TextMessages(routes: $0, projects: projects, logger: logger),
                        environment: environment,
                        logger: logger
                    )
                )
            } ?? []
        mails =
            mailGateways.isEmpty
            ? []
            : dispatchers(
                GatewaySending(
                    Mails(route: mailGateways, projects: projects),
                    environment: environment,
                    logger: logger
                )
            )
    }

    /// Whether all outboxes are being served.
    public var isAlive: Bool {
        pushes.allSatisfy(\.isAlive) && messages.allSatisfy(\.isAlive) && mails.allSatisfy(\.isAlive)
    }

    /// Runs until ``stop()``, and then finishes the work in progress.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for dispatcher in pushes { group.addTask { await dispatcher.run() } }
            for dispatcher in messages { group.addTask { await dispatcher.run() } }
            for dispatcher in mails { group.addTask { await dispatcher.run() } }
            group.addTask { await self.anonymousAccounts.run() }
        }
    }

    /// Requests a stop. The dispatcher then takes nothing more from the outboxes, and leaves items that wait for a
    /// retry to other dispatchers.
    public func stop() {
        for dispatcher in pushes { dispatcher.stop() }
        for dispatcher in messages { dispatcher.stop() }
        for dispatcher in mails { dispatcher.stop() }
        anonymousAccounts.stop()
    }
}
