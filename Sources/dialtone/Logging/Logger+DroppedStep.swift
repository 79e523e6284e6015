import Logging
import RedisStore

extension Logger {
    /// Logs a step that an operation does not depend on and that Redis did not perform.
    func droppedStep(_ step: StaticString, _ error: StoreUnavailable) {
        notice("a step was dropped", metadata: ["step": "\(step)", "detail": "\(error)"])
    }
}
