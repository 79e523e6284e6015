import Foundation
import Testing

@testable import DialtoneAuth

@Suite struct KeychainTests {
    private let keychain = TestKeychain()
    private let item = KeychainItem(service: "service", account: "session")

    @Test("values are stored, replaced and removed, and nothing else remains")
    func values() throws {
        #expect(try keychain.data(of: item) == nil)
        try keychain.remove(item)
        try keychain.set(Data("one".utf8), of: item)
        try keychain.set(Data("two".utf8), of: item)
        #expect(try keychain.data(of: item) == Data("two".utf8))
        #expect(keychain.items.with { $0.count } == 1)
        try keychain.remove(item)
        #expect(try keychain.data(of: item) == nil)
        #expect(keychain.items.with { $0.isEmpty })
    }

    @Test("before the first unlock, an inaccessible item is not treated as missing")
    func prewarming() throws {
        // The device is locked: it reports that items do not exist, and accepts none.
        keychain.fail(.copy, KeychainStatus.itemNotFound)
        keychain.fail(.add, -25308)
        #expect { try keychain.data(of: item) } throws: { error in
            AuthErrorCode(error) == .keychainError && error.localizedDescription.contains("not unlocked")
        }
        keychain.fail(.copy, nil)
        keychain.fail(.add, nil)
        #expect(try keychain.data(of: item) == nil)
    }

    @Test("an item that another process adds between two calls is replaced")
    func race() throws {
        struct RacingKeychain: Keychain {
            let base: TestKeychain

            func copy(_ item: KeychainItem) -> (status: Int32, data: Data?) { base.copy(item) }
            func add(_ data: Data, to item: KeychainItem) -> Int32 {
                _ = base.add(Data("theirs".utf8), to: item)
                return base.add(data, to: item)
            }
            func update(_ item: KeychainItem, to data: Data) -> Int32 { base.update(item, to: data) }
            func delete(_ item: KeychainItem) -> Int32 { base.delete(item) }
        }
        try RacingKeychain(base: keychain).set(Data("ours".utf8), of: item)
        #expect(try keychain.data(of: item) == Data("ours".utf8))
    }

    @Test("each failure is an error with its status", arguments: [-34018, -25291, -25308] as [Int32])
    func failures(status: Int32) throws {
        for operation in [TestKeychain.Operation.copy, .update, .delete] { keychain.fail(operation, status) }
        func isError(_ error: any Error) -> Bool {
            AuthErrorCode(error) == .keychainError && error.localizedDescription.contains("\(status)")
        }
        #expect { try keychain.data(of: item) } throws: { isError($0) }
        #expect { try keychain.set(Data(), of: item) } throws: { isError($0) }
        #expect { try keychain.remove(item) } throws: { isError($0) }
    }
}
