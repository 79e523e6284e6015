internal import OutgoingHTTP
public import PhoneAuth
internal import RedisScripts
internal import Synchronization

/// A client that sends silent pushes to APNs over HTTP/2.
///
/// One client serves all apps. It keeps one connection with many concurrent requests for each credential and
/// environment, and one provider token for each key, shared by all apps of the key. Call ``shutDown()`` before you
/// release the last reference.
///
/// ``send(_:as:tryingFirst:)`` retries only what needs no delay: once in the other environment, and once with a renewed
/// provider token. Retries after a delay are up to the caller.
public final class APNsClient: Sendable {
    let configuration: APNsConfiguration
    let environment: Environment
    private let connections: APNsConnections
    private let tokenSources: Mutex<[ProviderTokenKey: ProviderTokenSource]> = Mutex([:])

    /// Creates a client that opens its connections on demand.
    /// - Throws: ``APNsConfigurationError``
    public init(
        _ configuration: APNsConfiguration = APNsConfiguration(),
        _ environment: Environment = .system
    ) throws(APNsConfigurationError) {
        self.configuration = configuration
        self.environment = environment
        connections = try APNsConnections(configuration)
    }

    /// Sends a push in one environment and, if that environment does not know the device, in the other.
    ///
    /// - Parameters:
    ///   - notification: the push, with its device and app.
    ///   - credential: the app's credential.
    ///   - first: the environment that accepted the device's last push, or the one that the app named.
    /// - Returns: the outcome of the push.
    public func send(
        _ notification: PushNotification,
        as credential: APNsCredential,
        tryingFirst first: PushEnvironment
    ) async -> PushOutcome {
        let firstAttempt = await attempt(notification, as: credential, in: first)
        guard firstAttempt.isAboutEnvironment else { return PushOutcome(firstAttempt, in: first) }
        let second = await attempt(notification, as: credential, in: first.other)
        // Both environments refused the push because of the environment. The first one is the more likely one, so its
        // reason explains more.
        return second.isAboutEnvironment ? PushOutcome(firstAttempt, in: first) : PushOutcome(second, in: first.other)
    }

    /// Closes all connections. Pushes in progress return ``PushOutcome/retry(after:_:)``.
    public func shutDown() async {
        await connections.close()
    }

    /// Sends a push in one environment, and sends it again if APNs reports that the provider token has expired.
    func attempt(
        _ notification: PushNotification,
        as credential: APNsCredential,
        in pushEnvironment: PushEnvironment
    ) async -> PushAttempt {
        let origin = configuration.origin(of: pushEnvironment)
        switch credential {
        case .clientCertificate(let certificate):
            let connection = connections.connection(for: .clientCertificate(certificate, origin))
            return await exchange(HTTPRequest(notification, to: origin, nil), on: connection)
        case .providerToken(let key):
            let connection = connections.connection(for: .providerToken(key, origin))
            let source = tokenSource(of: key)
            guard let token = try? source.token(at: environment.now()) else { return .unsigned }
            let attempt = await exchange(HTTPRequest(notification, to: origin, token), on: connection)
            guard attempt.isExpiredProviderToken,
                let renewed = try? source.replacement(for: token, at: environment.now())
            else { return attempt }
            return await exchange(HTTPRequest(notification, to: origin, renewed), on: connection)
        }
    }

    private func tokenSource(of key: ProviderTokenKey) -> ProviderTokenSource {
        tokenSources.withLock { sources in
            if let source = sources[key] { return source }
            let source = ProviderTokenSource(key: key)
            sources[key] = source
            return source
        }
    }

    private func exchange(_ request: HTTPRequest, on connection: APNsConnection?) async -> PushAttempt {
        guard let connection else { return .failed(.cancelled) }
        do throws(TransportFailure) {
            let answer = try await connection.send(request)
            return .answered(
                APNsAnswer(
                    status: answer.status,
                    retryAfter: answer.headers.first(name: "retry-after"),
                    body: answer.body,
                    at: environment.now()
                )
            )
        } catch {
            return .failed(error)
        }
    }
}
