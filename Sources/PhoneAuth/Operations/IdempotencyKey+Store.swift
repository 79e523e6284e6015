internal import Encodings
internal import RedisScripts

extension KeyNames {
    /// The first execution of a request with a client's idempotency key.
    fileprivate static func firstExecution(_ id: String, _ project: String) -> String {
        ofProject(project, "executed", id)
    }
}

/// When a request with a client's key was first executed, and the random bytes of this execution.
struct FirstExecution {
    let at: Instant
    let salt: [UInt8]

    fileprivate var text: String { "\(at.milliseconds) \(Base64URL.string(salt))" }

    init(at: Instant, salt: [UInt8]) {
        (self.at, self.salt) = (at, salt)
    }

    fileprivate init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let time = Int64(parts[0]), let salt = Base64URL.decode(parts[1].utf8) else {
            return nil
        }
        self.init(at: Instant(milliseconds: time), salt: salt)
    }
}

extension Store {
    /// Records the first execution of a request. Workers' clocks decide whether it is over; Redis forgets it later.
    /// - Returns: the first execution, which may be an earlier one; nil if it has just been forgotten.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func firstExecution(
        _ execution: FirstExecution,
        of id: String,
        in project: String,
        memory: Duration
    ) throws(StoreUnavailable) -> FirstExecution? {
        let key = KeyNames.firstExecution(id, project)
        let life = String(2 * memory.milliseconds)
        _ = try send("SET", [key, execution.text, "PX", life, "NX"], isConfirmed: true)
        let stored = try send("GET", key)
        return stored.isNull ? nil : FirstExecution(try stored.text())
    }
}
