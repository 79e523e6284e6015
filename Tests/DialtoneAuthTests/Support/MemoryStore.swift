import Foundation

@testable import DialtoneAuth

/// A store in memory, which can fail.
struct MemoryStore: AuthStore {
    struct State: Sendable {
        var values: [String: Data] = [:]
        var failure: NSError?
    }

    let state = Mutexed(State())

    func read(_ key: String) throws -> Data? { try using { $0[key] } }
    func write(_ data: Data, for key: String) throws { try using { $0[key] = data } }
    func remove(_ key: String) throws { try using { $0[key] = nil } }

    /// Fails from now on, or no longer.
    func fail(_ failure: NSError?) { state.with { $0.failure = failure } }

    private func using<Value: Sendable>(_ body: (inout [String: Data]) -> Value) throws -> Value {
        try state.with { state in
            if let failure = state.failure { throw failure }
            return body(&state.values)
        }
    }
}
