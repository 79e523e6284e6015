internal import RedisStore

/// What a trial push says of an app's credential, topic and environments.
public struct APNsDiagnosis: Equatable, Sendable {
    /// Whether pushes to this app can be expected to arrive.
    public let isHealthy: Bool
    /// One line in plain words, the environments in it by name.
    public let line: String

    /// A verdict from elsewhere than a trial.
    init(isHealthy: Bool, line: String) {
        self.isHealthy = isHealthy
        self.line = line
    }

    /// Sums up one trial in each environment.
    ///
    /// A device belongs to one environment, so one that takes its push is enough. A trial without a device passes where APNs
    /// complains of nothing but the token, and has to pass everywhere.
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
