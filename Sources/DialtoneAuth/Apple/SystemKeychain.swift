#if canImport(Darwin)
    internal import Foundation
    internal import Security

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
