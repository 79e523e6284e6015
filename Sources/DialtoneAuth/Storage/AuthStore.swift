public import Foundation

/// Keeps a user's session, and a verification in progress, across restarts of the app.
///
/// The data contain tokens. The stores of this library are the keychain on Apple's platforms and files that only their
/// owner can read elsewhere. A store is called while ``Auth`` holds its lock, so it must not call ``Auth``, and should
/// return soon.
public protocol AuthStore: Sendable {
    /// Returns what is stored under a key; nil if nothing is.
    ///
    /// - Throws: an error if it is unknown whether anything is stored, as before the first unlock of a device.
    func read(_ key: String) throws -> Data?

    /// Stores data under a key, replacing what is stored there. A crash leaves the former or the new data.
    func write(_ data: Data, for key: String) throws

    /// Removes what is stored under a key, if anything is.
    func remove(_ key: String) throws

    /// Returns the store of an access group, which several apps share.
    ///
    /// - Throws: an error if this app cannot use it. Stores without groups throw it always, which is the default.
    func store(forAccessGroup accessGroup: String) throws -> any AuthStore
}

extension AuthStore {
    /// Throws, because most stores have no access groups.
    public func store(forAccessGroup accessGroup: String) throws -> any AuthStore {
        throw AuthErrorCode.keychainError.error("This store has no access groups.")
    }
}
