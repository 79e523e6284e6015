internal import Foundation

/// The place of one password in a keychain.
struct KeychainItem: Sendable, Hashable {
    let service: String
    let account: String
    /// The access group that shares the item; nil for the app's own items.
    var accessGroup: String?
    /// Whether the item is in the user's iCloud Keychain.
    var isSynchronizable = false
}

/// The keychain's functions, which return a status of the system (`OSStatus`).
protocol Keychain: Sendable {
    func copy(_ item: KeychainItem) -> (status: Int32, data: Data?)
    func add(_ data: Data, to item: KeychainItem) -> Int32
    func update(_ item: KeychainItem, to data: Data) -> Int32
    func delete(_ item: KeychainItem) -> Int32
}

/// The statuses that are handled separately.
enum KeychainStatus {
    static let success: Int32 = 0
    static let duplicateItem: Int32 = -25299
    static let itemNotFound: Int32 = -25300
}

extension Keychain {
    /// Returns the data of an item; nil if it does not exist.
    ///
    /// Systems that start an app before the first unlock of the device ("prewarming") may report that an item does not
    /// exist although it only cannot be read yet. So an item counts as absent only if an item can be added.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` if it is unknown whether the item exists.
    func data(of item: KeychainItem) throws -> Data? {
        let (status, data) = copy(item)
        switch status {
        case KeychainStatus.success:
            guard let data else { throw Self.failure("read", status) }
            return data
        case KeychainStatus.itemNotFound:
            let probe = KeychainItem(service: item.service, account: Self.probeAccount)
            let added = add(Data(), to: probe)
            guard added == KeychainStatus.success || added == KeychainStatus.duplicateItem else {
                throw Self.failure("read", added)
            }
            _ = delete(probe)
            return nil
        default: throw Self.failure("read", status)
        }
    }

    /// Replaces the data of an item, or adds it.
    ///
    /// - Throws: ``AuthErrorCode/keychainError``
    func set(_ data: Data, of item: KeychainItem) throws {
        var status = update(item, to: data)
        if status == KeychainStatus.itemNotFound {
            status = add(data, to: item)
            // Another process, such as an extension, has added it meanwhile.
            if status == KeychainStatus.duplicateItem { status = update(item, to: data) }
        }
        guard status == KeychainStatus.success else { throw Self.failure("write", status) }
    }

    /// Removes an item, if it exists.
    ///
    /// - Throws: ``AuthErrorCode/keychainError``
    func remove(_ item: KeychainItem) throws {
        let status = delete(item)
        guard status == KeychainStatus.success || status == KeychainStatus.itemNotFound else {
            throw Self.failure("remove", status)
        }
    }

    /// The account of the item that probes whether the keychain is available.
    static var probeAccount: String { "dialtone-probe" }

    private static func failure(_ operation: String, _ status: Int32) -> NSError {
        AuthErrorCode.keychainError.error(
            "Cannot \(operation) a keychain item (status \(status)\(reason(status)))."
        )
    }

    /// Returns what to do, for the statuses that apps encounter.
    private static func reason(_ status: Int32) -> String {
        switch status {
        case -25308: ": the device was not unlocked since its start"
        case -34018: ": the app lacks the entitlement for the keychain or for the access group"
        default: ""
        }
    }
}
