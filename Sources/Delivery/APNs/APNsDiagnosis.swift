internal import Encodings
internal import OutgoingHTTP
public import PhoneAuth

/// The result of a trial push for an app's credential, topic and environments.
public struct APNsDiagnosis: Equatable, Sendable {
    /// Whether pushes to this app are expected to arrive.
    public let isHealthy: Bool
    /// One line that names the environments.
    public let line: String

    /// Creates a diagnosis without a trial push.
    init(isHealthy: Bool, line: String) {
        self.isHealthy = isHealthy
        self.line = line
    }

    /// Summarizes one trial push for each environment.
    ///
    /// A device belongs to one environment, so a trial with a device passes if either environment accepts it. A trial
    /// without a device passes if APNs rejects only the device token, in every environment.
    init(_ trials: [(environment: PushEnvironment, attempt: PushAttempt)], _ explanation: TrialExplanation) {
        isHealthy =
            explanation.hasDevice
            ? trials.contains { $0.attempt == .answered(.accepted) }
            : !trials.isEmpty && trials.allSatisfy { explanation.passesWithoutDevice($0.attempt) }
        var findings: [(environments: [String], text: String)] = []
        for trial in trials {
            let text = explanation.text(trial.attempt, in: trial.environment)
            if let index = findings.firstIndex(where: { $0.text == text }) {
                findings[index].environments.append(trial.environment.rawValue)
            } else {
                findings.append(([trial.environment.rawValue], text))
            }
        }
        line = findings.map { "\($0.environments.joined(separator: " and ")): \($0.text)" }.joined(separator: "; ")
    }
}

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

/// An explanation of what a trial push shows about its configuration.
struct TrialExplanation {
    let credential: APNsCredential
    let topic: BundleID
    /// Whether the push was sent to an operator's device, or to a token that belongs to no device.
    let hasDevice: Bool
    let configuration: APNsConfiguration

    /// Returns whether a trial without a device passes. APNs checks the credential and the topic before the token, as
    /// far as it can without a device.
    func passesWithoutDevice(_ attempt: PushAttempt) -> Bool {
        guard case .answered(let answer) = attempt else { return false }
        guard case .refused(let refusal) = answer else { return true }
        return refusal.reason == .badDeviceToken
    }

    func text(_ attempt: PushAttempt, in environment: PushEnvironment) -> String {
        switch attempt {
        case .answered(.accepted): "APNs accepted the push: \(credentialName), \(topic) and the device match"
        case .answered(.refused(let refusal)): text(refusal)
        case .failed(let failure): text(failure, configuration.origin(of: environment))
        case .unsigned: "\(credentialName) could not sign a provider token"
        }
    }

    private var credentialName: String {
        switch credential {
        case .providerToken(let key): "key \(key.keyID) of team \(key.teamID)"
        case .clientCertificate: "the client certificate"
        }
    }

    private func text(_ refusal: APNsRefusal) -> String {
        switch refusal.reason {
        case .badDeviceToken where !hasDevice:
            "\(credentialName) and \(topic) are valid, as far as APNs checks them without a device"
        case .badDeviceToken: "APNs does not know this device token"
        case .deviceTokenNotForTopic: "the device token belongs to a different app than \(topic): check the bundle id"
        case .unregistered, .expiredToken: "\(topic) is no longer installed on this device"
        case .badTopic, .missingTopic: "APNs does not accept \(topic) as a bundle id"
        case .topicDisallowed: "\(credentialName) may not push to \(topic): check the bundle id and its team"
        case .invalidProviderToken: "key id, team id and signing key do not match: \(credentialName)"
        case .expiredProviderToken: "APNs reports a new provider token as expired: check this machine's clock"
        case .badEnvironmentKeyInToken, .unrelatedKeyInToken: "\(credentialName) is not allowed in this environment"
        case .badCertificateEnvironment: "the client certificate is not for this environment"
        case .badCertificate: "APNs does not accept the client certificate"
        case .forbidden, .missingProviderToken: "APNs does not accept \(credentialName) (\(refusal.reason))"
        default: text(other: refusal)
        }
    }

    private func text(other refusal: APNsRefusal) -> String {
        if case .retry = PushOutcome(.answered(.refused(refusal)), in: .production) {
            return "APNs asks to retry later (\(refusal.reason)); the configuration could not be checked"
        }
        return "APNs rejected the push (\(refusal.reason))"
    }

    private func text(_ failure: TransportFailure, _ origin: PushOrigin) -> String {
        switch failure {
        case .timedOut: "\(origin) did not answer in time: check the network and its firewall"
        case .nameNotResolved: "the host of \(origin) does not resolve: check the name and DNS"
        case .unreachable: "\(origin) cannot be reached: check the network and its firewall"
        case .untrustedServer:
            "\(origin) has an untrusted certificate: check for a proxy, and the trusted certificates"
        case .tlsRefused: "no TLS connection to \(origin): check for a proxy\(certificateSuspect)"
        case .connectionLost: "\(origin) closed the connection without a response\(certificateSuspect)"
        case .cancelled: "the test push was cancelled"
        }
    }

    private var certificateSuspect: String {
        switch credential {
        case .providerToken: ""
        case .clientCertificate: "; it may reject the client certificate"
        }
    }
}
