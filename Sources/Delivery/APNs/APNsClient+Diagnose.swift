public import PhoneAuth
public import RedisStore

extension APNsClient {
    /// Tries a push and says in one line what is right or wrong with an app's configuration.
    ///
    /// - Parameters:
    ///   - credential: the app's.
    ///   - topic: the app's bundle id.
    ///   - environments: where the app's pushes go.
    ///   - deviceToken: a device of the operator's, which gets a background push that nobody sees; nil for a token that no device
    ///     has, with which APNs tells about the credential and the topic only as far as it checks them first.
    /// - Returns: the verdict.
    public func diagnose(
        _ credential: APNsCredential,
        topic: PushTopic,
        environments: [PushEnvironment] = PushEnvironment.allCases,
        deviceToken: DeviceToken? = nil
    ) async -> APNsDiagnosis {
        let now = environment.now()
        if case .clientCertificate(let certificate) = credential, certificate.expiresAt <= now {
            return APNsDiagnosis(isHealthy: false, line: "the client certificate has expired: ask Apple for a new one")
        }
        // The SDK takes no push for a receipt that it does not wait for.
        let notification = PushNotification(
            deviceToken: deviceToken ?? .ofNoDevice,
            topic: topic,
            receipt: "trial",
            secret: "trial",
            expiration: now.seconds + 60
        )
        var trials: [(environment: PushEnvironment, attempt: PushAttempt)] = []
        for environment in environments {
            trials.append((environment, await attempt(notification, as: credential, in: environment)))
        }
        let explanation = TrialExplanation(
            credential: credential,
            topic: topic,
            hasDevice: deviceToken != nil,
            configuration: configuration
        )
        return APNsDiagnosis(trials, explanation)
    }
}
