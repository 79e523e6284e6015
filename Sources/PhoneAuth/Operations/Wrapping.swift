internal import RedisScripts

// Refusals that wrap the errors of the steps of an operation, so that a step is one expression:
//
//     let record = try SecondFactorRefusal.wrapping(store.account(identity))
//     let outcome = try SecondFactorRefusal.wrapping(failureOf: issueTokens(request))
//     let user = try SecondFactorRefusal.wrapping(refusalOf: identify(idToken: idToken))

/// A refusal for the case that the store does not respond.
protocol StoreRefusal: Error {
    static func unavailable(_ error: StoreUnavailable) -> Self
}

extension StoreRefusal {
    /// Returns what the store returns.
    /// - Throws: the refusal for a store that does not respond.
    static func wrapping<Value>(_ step: @autoclosure () throws(StoreUnavailable) -> Value) throws(Self) -> Value {
        do { return try step() } catch { throw .unavailable(error) }
    }
}

/// A refusal for the case that the operation failed through no fault of its caller.
protocol OperationRefusal: StoreRefusal {
    static func failed(_ failure: OperationFailure) -> Self
}

extension OperationRefusal {
    static func unavailable(_ error: StoreUnavailable) -> Self { .failed(.unavailable(error)) }

    /// Returns what a step of the operation returns.
    /// - Throws: the refusal for a failed operation.
    @discardableResult
    static func wrapping<Value>(
        failureOf step: @autoclosure () throws(OperationFailure) -> Value
    ) throws(Self) -> Value {
        do { return try step() } catch { throw .failed(error) }
    }
}
