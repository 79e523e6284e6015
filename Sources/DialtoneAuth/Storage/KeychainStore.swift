#if canImport(Darwin)
    public import Foundation
    internal import Security

    /// A store that keeps data in the device's keychain. The data never leaves the device, and can be read after its
    /// first unlock.
    public struct KeychainStore: AuthStore {
        /// The service of the items.
        public let service: String
        /// The service of the items of access groups.
        public let sharedService: String
        /// The access group of the items; nil for the app's first one.
        public let accessGroup: String?

        /// Creates a store.
        ///
        /// - Parameters:
        ///   - service: the service of the items, which must be used for nothing else.
        ///   - sharedService: the service of the items of access groups, the same in all apps of a group; nil for
        ///     `service`.
        public init(service: String, sharedService: String? = nil) {
            self.init(service, sharedService ?? service, accessGroup: nil)
        }

        private init(_ service: String, _ sharedService: String, accessGroup: String?) {
            self.service = service
            self.sharedService = sharedService
            self.accessGroup = accessGroup
        }

        /// Returns the store of an access group.
        public func store(forAccessGroup accessGroup: String) throws -> any AuthStore {
            KeychainStore(sharedService, sharedService, accessGroup: accessGroup)
        }

        /// Returns the data of an item; nil if it does not exist.
        ///
        /// - Throws: ``AuthErrorCode/keychainError``, such as before the first unlock of the device.
        public func read(_ key: String) throws -> Data? { try SystemKeychain().data(of: item(key)) }

        /// Replaces the data of an item, or adds it.
        public func write(_ data: Data, for key: String) throws { try SystemKeychain().set(data, of: item(key)) }

        /// Removes an item, if it exists.
        public func remove(_ key: String) throws { try SystemKeychain().remove(item(key)) }

        private func item(_ key: String) -> KeychainItem {
            KeychainItem(service: service, account: key, accessGroup: accessGroup)
        }
    }

    /// The device's keychain.
    struct SystemKeychain: Keychain {
        func copy(_ item: KeychainItem) -> (status: Int32, data: Data?) {
            var query = query(item)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            return (status, found as? Data)
        }

        func add(_ data: Data, to item: KeychainItem) -> Int32 {
            SecItemAdd(query(item).merging(attributes(data)) { _, new in new } as CFDictionary, nil)
        }

        func update(_ item: KeychainItem, to data: Data) -> Int32 {
            SecItemUpdate(query(item) as CFDictionary, attributes(data) as CFDictionary)
        }

        func delete(_ item: KeychainItem) -> Int32 { SecItemDelete(query(item) as CFDictionary) }

        private func query(_ item: KeychainItem) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: item.service, kSecAttrAccount: item.account,
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup = item.accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            if item.isSynchronizable { query[kSecAttrSynchronizable] = true }
            return query
        }

        private func attributes(_ data: Data) -> [CFString: Any] {
            [kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly]
        }
    }
#endif
