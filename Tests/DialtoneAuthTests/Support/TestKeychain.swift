import Foundation

@testable import DialtoneAuth

/// A keychain in memory with configurable failures.
struct TestKeychain: Keychain {
    enum Operation: Hashable, Sendable {
        case copy, add, update, delete
    }

    let items = Mutexed<[KeychainItem: Data]>([:])
    let failures = Mutexed<[Operation: Int32]>([:])

    /// Makes an operation fail with a status, or succeed again.
    func fail(_ operation: Operation, _ status: Int32?) { failures.with { $0[operation] = status } }

    private func failure(_ operation: Operation) -> Int32? { failures.with { $0[operation] } }

    func copy(_ item: KeychainItem) -> (status: Int32, data: Data?) {
        if let status = failure(.copy) { return (status, nil) }
        let data = items.with { $0[item] }
        return (data == nil ? KeychainStatus.itemNotFound : KeychainStatus.success, data)
    }

    func add(_ data: Data, to item: KeychainItem) -> Int32 {
        if let status = failure(.add) { return status }
        return items.with { items in
            guard items[item] == nil else { return KeychainStatus.duplicateItem }
            items[item] = data
            return KeychainStatus.success
        }
    }

    func update(_ item: KeychainItem, to data: Data) -> Int32 {
        if let status = failure(.update) { return status }
        return items.with { items in
            guard items[item] != nil else { return KeychainStatus.itemNotFound }
            items[item] = data
            return KeychainStatus.success
        }
    }

    func delete(_ item: KeychainItem) -> Int32 {
        if let status = failure(.delete) { return status }
        return items.with { $0.removeValue(forKey: item) } == nil ? KeychainStatus.itemNotFound : KeychainStatus.success
    }
}
