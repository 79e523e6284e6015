public import Foundation

/// A store that keeps a user's session, and a verification in progress, across restarts of the app.
///
/// The data contains tokens. This library uses the keychain on Apple's platforms, and files that only their owner can
/// read on others. ``Auth`` calls a store while it holds its lock, so a store must not call ``Auth``, and should return
/// quickly.
public protocol AuthStore: Sendable {
    /// Returns what is stored under a key; nil if nothing is.
    ///
    /// - Throws: an error if it is unknown whether anything is stored, as before the first unlock of a device.
    func read(_ key: String) throws -> Data?

    /// Stores data under a key and replaces what is stored there. After a crash, either the old or the new data is
    /// stored.
    func write(_ data: Data, for key: String) throws

    /// Removes what is stored under a key, if anything is.
    func remove(_ key: String) throws

    /// Returns the store of an access group, which several apps share.
    ///
    /// - Throws: an error if this app cannot use the group. By default, always throws, for stores without groups.
    func store(forAccessGroup accessGroup: String) throws -> any AuthStore
}

extension AuthStore {
    /// Throws: most stores have no access groups.
    public func store(forAccessGroup accessGroup: String) throws -> any AuthStore {
        throw AuthErrorCode.keychainError.error("This store does not support access groups.")
    }
}
