#if canImport(Darwin)
    public import Foundation
    internal import Security

    /// Keeps data in the keychain of the device. They do not leave it, and can be read after its first unlock.
    public struct KeychainStore: AuthStore {
        /// The service of the items.
        public let service: String

        /// Creates a store whose items have a service that nothing else uses.
        public init(service: String) { self.service = service }

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
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: key,
                kSecUseDataProtectionKeychain: true,
            ]
        }

        private func failure(_ operation: String, _ status: OSStatus) -> NSError {
            AuthErrorCode.keychainError.error("Cannot \(operation) an item of the keychain (status \(status)).")
        }
    }
#endif
