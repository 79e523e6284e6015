internal import Foundation

/// A store that removes what an earlier installation of the app left in a store that outlives the app, such as the
/// keychain.
///
/// Users who delete an app expect that its next installation knows nothing about them. The marker of an installation is
/// a file in the app's container, which is deleted with the app.
final class InstallationStore: AuthStore {
    private enum Progress: Sendable {
        case unknown, emptied, marked
    }

    private static let marker = "installation"
    /// The keys that belong to an installation.
    private static let keys = [
        StoredSession.key, StoredSession.emulatorKey, StoredSession.accessGroupKey, VerificationInProgress.key,
        SecondFactorRecord.key, PushCredential.key,
    ]

    private let inner: any AuthStore
    private let container: FileStore
    private let progress = Locked(Progress.unknown)

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - inner: the store that outlives the app.
    ///   - container: the folder of the marker, in the app's container.
    init(_ inner: any AuthStore, container: FileStore) {
        self.inner = inner
        self.container = container
    }

    func read(_ key: String) throws -> Data? {
        try forgetFormerInstallation()
        return try inner.read(key)
    }

    func write(_ data: Data, for key: String) throws {
        try forgetFormerInstallation()
        try inner.write(data, for: key)
    }

    func remove(_ key: String) throws {
        try forgetFormerInstallation()
        try inner.remove(key)
    }

    /// Returns the inner store's group: what several apps share does not belong to an installation.
    func store(forAccessGroup accessGroup: String) throws -> any AuthStore {
        try inner.store(forAccessGroup: accessGroup)
    }

    /// Removes the data of an earlier installation. A container that cannot be read, such as before the first unlock of
    /// a device, does not mean a new installation.
    private func forgetFormerInstallation() throws {
        try progress.withLock { progress in
            guard progress != .marked else { return }
            if progress == .unknown, try container.read(Self.marker) == nil {
                for key in Self.keys { try inner.remove(key) }
                progress = .emptied
            }
            // Without the marker, the next start removes this session. That is better than no session.
            guard progress == .unknown || (try? mark()) != nil else { return }
            progress = .marked
        }
    }

    private func mark() throws {
        try container.write(Data(), for: Self.marker)
        #if canImport(Darwin)
            // Readable while the device is locked, whatever protection the app's other files have.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.none],
                ofItemAtPath: container.folder.appendingPathComponent(Self.marker).path
            )
        #endif
    }
}
