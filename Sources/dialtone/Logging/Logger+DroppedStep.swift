import Logging
import PhoneAuth

extension Logger {
    /// Logs that Redis did not perform a step on which the operation does not depend.
    func dropped(_ step: DroppedStep) {
        var metadata: Metadata = ["step": "\(step.name)", "detail": "\(step.error)"]
        if let requestID = step.requestID { metadata["requestId"] = "\(requestID)" }
        notice("a step was dropped", metadata: metadata)
    }
}
