public import Logging
public import PhoneAuth
internal import RedisStore

/// Sends what the workers have queued, and deletes anonymous accounts that no one uses any longer.
public final class Dispatcher: Sendable {
    /// An app of a project.
    public struct App: Hashable, Sendable {
        let project: String
        let bundleID: String

        /// Names an app.
        public init(project: String, bundleID: String) {
            self.project = project
            self.bundleID = bundleID
        }
    }

    private let pushes: OutboxDispatcher<SilentPushes>
    private let messages: OutboxDispatcher<TextMessages>?
    private let anonymousAccounts: AnonymousAccountDeletion

    /// Puts the parts together.
    ///
    /// - Parameters:
    ///   - name: what no other dispatcher is called.
    ///   - connect: makes what one thread needs to reach the outboxes.
    ///   - client: sends silent pushes.
    ///   - credentials: those of all apps that have silent pushes.
    ///   - routes: the operator's SMS gateways; nil where there are none, and messages are left in the outbox.
    ///   - projects: all of them, which say what messages say.
    ///   - environment: where time comes from.
    ///   - logger: told of each push and message, never of a number, a code or a secret.
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

    /// Works until ``stop()``, and finishes what is under way.
    public func run() async {
        async let pushing: Void = pushes.run()
        async let deleting: Void = anonymousAccounts.run()
        await messages?.run()
        await pushing
        await deleting
    }

    /// Asks to stop: nothing more is taken, and what waits for its next try is left to another dispatcher.
    public func stop() {
        pushes.stop()
        messages?.stop()
        anonymousAccounts.stop()
    }
}
