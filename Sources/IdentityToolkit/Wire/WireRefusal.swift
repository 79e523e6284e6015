internal import PhoneAuth
internal import PhoneNumbers

// Handlers turn the refusal of an operation into the protocol's error, in one expression:
//
//     let account = try IDTokenRefusal.onWire(call.operation.lookUpAccount(idToken: idToken))
//     let sent = try SendVerificationCodeRefusal.onWire(for: call, call.operation.sendVerificationCode(request))

/// A refusal whose error on the wire is the same for every caller.
protocol WireRefusal: Error {
    var wire: WireError { get }
}

extension WireRefusal {
    /// Performs an operation; its refusal becomes the protocol's error.
    @discardableResult
    static func onWire<Value>(_ operation: @autoclosure () throws(Self) -> Value) throws(WireError) -> Value {
        do { return try operation() } catch { throw error.wire }
    }
}

/// A refusal whose error depends on the calling app, or which has a phone number for the log.
protocol CallRefusal: Error {
    var phone: E164? { get }

    func wire(for call: Call) -> WireError
}

extension CallRefusal {
    /// Performs an operation; its refusal becomes the protocol's error, and its phone number is logged.
    static func onWire<Value>(
        for call: Call,
        _ operation: @autoclosure () throws(Self) -> Value
    ) throws(WireError) -> Value {
        do {
            return try operation()
        } catch {
            call.record.phone = error.phone
            throw error.wire(for: call)
        }
    }
}

extension StoreUnavailable: WireRefusal {
    var wire: WireError { .unavailable(logDetail: "\(self)") }
}
