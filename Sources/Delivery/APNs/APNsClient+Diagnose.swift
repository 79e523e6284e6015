internal import Encodings
public import PhoneAuth
internal import RedisScripts

extension APNsClient {
    /// Sends a trial push and describes in one line what is right or wrong in an app's configuration.
    ///
    /// - Parameters:
    ///   - credential: the app's credential.
    ///   - topic: the app's bundle id.
    ///   - environments: the environments of the app's pushes.
    ///   - deviceToken: the token of an operator's device, which gets an invisible background push. If nil, the push
    ///     has a token that belongs to no device, and APNs checks the credential and the topic as far as it can without
    ///     a device.
    /// - Returns: the diagnosis.
    public func diagnose(
        _ credential: APNsCredential,
        topic: BundleID,
        environments: [PushEnvironment] = PushEnvironment.allCases,
        deviceToken: DeviceToken? = nil
    ) async -> APNsDiagnosis {
        let now = environment.now()
        if case .clientCertificate(let certificate) = credential, certificate.expiresAt <= now {
            return APNsDiagnosis(
                isHealthy: false,
                line: "the client certificate has expired: request a new one from Apple"
            )
        }
        // The SDK ignores a push with a receipt that it does not wait for.
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
