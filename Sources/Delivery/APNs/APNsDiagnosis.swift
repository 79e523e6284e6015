internal import PhoneAuth
internal import RedisScripts

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
