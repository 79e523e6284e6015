public import Passwords
public import RedisScripts

/// Why an operation failed through no fault of its caller.
public enum OperationFailure: StoreRefusal {
    case unavailable(StoreUnavailable)
    /// The same account or identifier kept changing concurrently.
    case interrupted
    /// Other requests repeatedly gave the same account other identifiers, or claimed the same identifier, before this
    /// one.
    case contended
    /// The cryptography library rejected input that is correct by construction.
    case cryptographyFailed
    /// A password was neither hashed nor verified; nil if this process does neither.
    case passwordNotHashed(PasswordHashingError?)
    /// A rate limit of the client's network or of the project was exceeded, or there is no room for another account.
    case notAdmitted(AdmissionRefusal)
    /// A blocking hook on one of the operator's servers denied the operation.
    case blocked(BlockingHookRefusal)
}

/// Why work was rejected before any of it was done.
public enum AdmissionRefusal: Error, Hashable, CustomStringConvertible {
    case limited(RateLimitRefusal)
    /// Redis has little memory left, which is reserved for existing users.
    case memoryNearlyFull

    /// The share of Redis's `maxmemory`, in percent, above which no new accounts are created. The rest is reserved for
    /// existing users.
    static let fullMemoryPercent = 90

    /// The retry delay for clients that got no account because memory is nearly full.
    public static let fullMemoryRetry: Duration = .seconds(60)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .limited(let refusal): refusal.description
        case .memoryNearlyFull:
            "Redis has used \(Self.fullMemoryPercent) % of its maxmemory: no new accounts until more is free"
        }
    }
}

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
