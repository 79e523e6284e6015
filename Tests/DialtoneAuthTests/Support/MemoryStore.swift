import Foundation

@testable import DialtoneAuth

/// A store in memory, which can fail and has access groups.
struct MemoryStore: AuthStore {
    struct State: Sendable {
        var values: [String: Data] = [:]
        var failure: NSError?
        /// A failure of writing only, as if the disk were full.
        var writeFailure: NSError?
    }

    let state = Mutexed(State())
    let groups = Mutexed<[String: MemoryStore]>([:])

    func read(_ key: String) throws -> Data? { try using { $0[key] } }
    func write(_ data: Data, for key: String) throws {
        if let failure = state.with({ $0.writeFailure }) { throw failure }
        try using { $0[key] = data }
    }
    func remove(_ key: String) throws { try using { $0[key] = nil } }

    func store(forAccessGroup accessGroup: String) throws -> any AuthStore {
        guard let store = groups.with({ $0[accessGroup] }) else {
            throw AuthErrorCode.keychainError.error("The app has no such group.")
        }
        return store
    }

    /// Makes the store fail, or work again.
    func fail(_ failure: NSError?) { state.with { $0.failure = failure } }

    /// Makes writing fail, or work again.
    func failToWrite(_ failure: NSError?) { state.with { $0.writeFailure = failure } }

    private func using<Value: Sendable>(_ body: (inout [String: Data]) -> Value) throws -> Value {
        try state.with { state in
            if let failure = state.failure { throw failure }
            return body(&state.values)
        }
    }
}
