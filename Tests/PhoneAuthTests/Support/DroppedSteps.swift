import PhoneAuth
import Synchronization

/// The steps that an authenticator has dropped, each with the id of its request.
final class DroppedSteps: Sendable {
    private let steps = Mutex<[String]>([])

    var all: [String] { steps.withLock { $0 } }

    func add(_ step: DroppedStep) {
        steps.withLock { $0.append("\(step.name) of \(step.requestID ?? "none")") }
    }
}
