#if canImport(Darwin)
    public import Foundation
    internal import Security

    /// Keeps data in the keychain of the device. They do not leave it, and can be read after its first unlock.
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
        ///   - service: the service of the items, which nothing else uses.
        ///   - sharedService: the service of the items of access groups, which all apps of a group name; nil for
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

        /// Returns the data of an item; nil if there is none.
        public func read(_ key: String) throws -> Data? {
            var query = item(key)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &found) {
            case errSecSuccess: return found as? Data
            case errSecItemNotFound: return nil
            case let status: throw failure("read", status)
            }
        }

        /// Replaces the data of an item, or adds it.
        public func write(_ data: Data, for key: String) throws {
            let attributes: [CFString: Any] = [
                kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item(key) as CFDictionary, attributes as CFDictionary)
            if status == errSecItemNotFound {
                let added = item(key).merging(attributes) { _, new in new }
                status = SecItemAdd(added as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw failure("write", status) }
        }

        /// Removes an item, if it exists.
        public func remove(_ key: String) throws {
            let status = SecItemDelete(item(key) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw failure("remove", status) }
        }

        private func item(_ key: String) -> [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key,
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }

        private func failure(_ operation: String, _ status: OSStatus) -> NSError {
            AuthErrorCode.keychainError.error("Cannot \(operation) an item of the keychain (status \(status)).")
        }
    }
#endif
