public import Logging
public import PhoneAuth
internal import RedisStore

/// The dispatcher, which sends the messages and pushes that workers have queued, and deletes unused anonymous accounts.
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

    private let pushes: OutboxDispatcher<SilentPushes>
    private let messages: OutboxDispatcher<TextMessages>?
    private let anonymousAccounts: AnonymousAccountDeletion

    /// Creates a dispatcher.
    ///
    /// - Parameters:
    ///   - name: a name that no other dispatcher has.
    ///   - connect: creates one thread's connection to the outboxes.
    ///   - client: sends silent pushes.
    ///   - credentials: the credentials of all apps that use silent pushes.
    ///   - routes: the operator's SMS gateways. If nil, messages stay in the outbox.
    ///   - projects: all projects, with their message templates.
    ///   - environment: the clock.
    ///   - logger: logs each push and message, but never a full phone number, a code or a secret.
    public init(
        name: String,
        connect: @Sendable () -> Authenticator,
        client: APNsClient,
        credentials: [App: APNsCredential],
        routes: MessageRoutes?,
        projects: [Project],
        environment: Environment,
        logger: Logger
    ) {
        anonymousAccounts = AnonymousAccountDeletion(connect: connect, projects: projects, logger: logger)
        pushes = OutboxDispatcher(
            SilentPushes(client: client, credentials: credentials, environment: environment, logger: logger),
            name: name,
            connect: connect,
            environment: environment,
            logger: logger
        )
        messages = routes.map { routes in
            OutboxDispatcher(
                TextMessages(routes: routes, projects: projects, environment: environment, logger: logger),
                name: name,
                connect: connect,
                environment: environment,
                logger: logger
            )
        }
    }

    /// Runs until ``stop()``, and then finishes the work in progress.
    public func run() async {
        async let pushing: Void = pushes.run()
        async let deleting: Void = anonymousAccounts.run()
        await messages?.run()
        await pushing
        await deleting
    }

    /// Requests a stop. The dispatcher then takes nothing more from the outboxes, and leaves items that wait for a
    /// retry to other dispatchers.
    public func stop() {
        pushes.stop()
        messages?.stop()
        anonymousAccounts.stop()
    }
}
