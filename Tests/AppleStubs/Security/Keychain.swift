// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The parts of the keychain that DialtoneAuth uses. A CFString is an NSString here, a CFDictionary an NSDictionary.

public struct CFString: Hashable, Sendable, ExpressibleByStringLiteral {
    public init() {}
    public init(stringLiteral _: String) {}
}
public typealias CFTypeRef = AnyObject
public typealias CFDictionary = [CFString: Any]
public typealias OSStatus = Int32

public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessGroup = CFString()
public let kSecAttrSynchronizable = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecUseDataProtectionKeychain = CFString()
public let kSecValueData = CFString()
public let kSecReturnData = CFString()
public let kSecMatchLimit = CFString()
public let kSecMatchLimitOne = CFString()

public func SecItemCopyMatching(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }

public func SecItemAdd(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }

public func SecItemUpdate(_: CFDictionary, _: CFDictionary) -> OSStatus { 0 }

public func SecItemDelete(_: CFDictionary) -> OSStatus { 0 }
