public import Foundation

/// A change of a user's name and picture. Properties that are not set stay unchanged; properties that are set to nil
/// are removed.
public final class UserProfileChangeRequest: Sendable {
    private struct Changes: Sendable {
        var displayName: String??
        var photoURL: URL??
    }

    private let user: User
    private let changes = Locked(Changes())

    init(_ user: User) { self.user = user }

    /// The display name.
    public var displayName: String? {
        get { changes.withLock { $0.displayName } ?? user.displayName }
        set { changes.withLock { $0.displayName = .some(newValue) } }
    }

    /// The URL of a picture.
    public var photoURL: URL? {
        get { changes.withLock { $0.photoURL } ?? user.photoURL }
        set { changes.withLock { $0.photoURL = .some(newValue) } }
    }

    /// Sends the changes.
    public func commitChanges() async throws {
        var fields = JSONFields()
        var removed: [String] = []
        let changes = changes.withLock { $0 }
        if let displayName = changes.displayName {
            if let displayName { fields["displayName"] = .text(displayName) } else { removed.append("DISPLAY_NAME") }
        }
        if let photoURL = changes.photoURL {
            if let photoURL { fields["photoUrl"] = .text(photoURL.absoluteString) } else { removed.append("PHOTO_URL") }
        }
        if !removed.isEmpty { fields["deleteAttribute"] = .texts(removed) }
        guard !fields.members.isEmpty else { return }
        try await user.update(fields)
    }

    /// Sends the changes; see ``commitChanges()``.
    public func commitChanges(completion: AuthErrorCompletion? = nil) {
        complete(completion) { try await self.commitChanges() }
    }
}
