import Logging
import PhoneAuth

extension Logger {
    /// Logs a step that an operation does not depend on and that Redis did not perform.
    func dropped(_ step: DroppedStep) {
        var metadata: Metadata = ["step": "\(step.name)", "detail": "\(step.error)"]
        if let requestID = step.requestID { metadata["requestId"] = "\(requestID)" }
        notice("a step was dropped", metadata: metadata)
    }
}
