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

/// The choice of a store for an app that does not configure one.
enum DefaultStore {
    /// The system's keychain, which exists on Apple's platforms only.
    static var keychain: any Keychain {
        #if canImport(Darwin)
            SystemKeychain()
        #else
            NoKeychain()
        #endif
    }

    /// Returns the keychain on Apple's platforms, else files in the user's data folder (XDG Base Directory).
    ///
    /// - Parameters:
    ///   - id: distinguishes the app from others on this device.
    ///   - groupID: distinguishes the sessions of an access group.
    ///   - outlivesApp: whether a session in the keychain remains after the app was deleted and installed again.
    /// - Returns: the store.
    static func make(id: String, groupID: String, outlivesApp: Bool) -> any AuthStore {
        #if canImport(Darwin)
            // Extensions may share the app's keychain, but have their own containers.
            let owner = Bundle.main.bundleIdentifier ?? "app"
            let keychain = KeychainStore(
                service: "dialtone_auth_\(id)_\(owner)",
                sharedService: "dialtone_auth_\(groupID)"
            )
            #if os(tvOS)
                // On tvOS, the system may delete all files of an app.
                return keychain
            #else
                let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                guard !outlivesApp, let support else { return keychain }
                return InstallationStore(keychain, container: FileStore(folder: folder(in: support, owner, id)))
            #endif
        #else
            let variables = ProcessInfo.processInfo.environment
            let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            let home = FileManager.default.homeDirectoryForCurrentUser
            return FileStore(folder: folder(in: data ?? home.appendingPathComponent(".local/share"), id))
        #endif
    }

    private static func folder(in parent: URL, _ names: String...) -> URL {
        names.reduce(parent.appendingPathComponent("dialtone-auth")) { $0.appendingPathComponent($1) }
    }
}

#if !canImport(Darwin)
    /// An empty keychain.
    private struct NoKeychain: Keychain {
        func copy(_: KeychainItem) -> (status: Int32, data: Data?) { (KeychainStatus.itemNotFound, nil) }
        func add(_: Data, to _: KeychainItem) -> Int32 { KeychainStatus.success }
        func update(_: KeychainItem, to _: Data) -> Int32 { KeychainStatus.itemNotFound }
        func delete(_: KeychainItem) -> Int32 { KeychainStatus.itemNotFound }
    }
#endif
