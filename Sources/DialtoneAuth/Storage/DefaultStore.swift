internal import Foundation

/// Chooses the store of an app that configures none.
enum DefaultStore {
    /// Returns the keychain on Apple's platforms, else files in the user's data folder (XDG Base Directory).
    ///
    /// - Parameter id: distinguishes the app from others on this device.
    /// - Returns: the store.
    static func make(id: String) -> any AuthStore {
        #if canImport(Darwin)
            return KeychainStore(service: "dialtone_auth_\(id)")
        #else
            let variables = ProcessInfo.processInfo.environment
            let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            let home = FileManager.default.homeDirectoryForCurrentUser
            return FileStore(
                folder: (data ?? home.appendingPathComponent(".local/share"))
                    .appendingPathComponent("dialtone-auth").appendingPathComponent(id)
            )
        #endif
    }
}
