public import RedisStore

/// Why identifiers cannot be looked up now.
public enum IndexKeyRefusal: Error, Equatable {
    /// Claims are being moved to another index key.
    case moving
    /// The key in force is not in this machine's key file.
    case keyMissing(id: UInt8)
    case unavailable(StoreUnavailable)

    /// The retry delay for clients that were rejected while the index key is moved.
    public static let retryAfter: Duration = .seconds(5)
}

extension IndexKeyRefusal: CustomStringConvertible {
    /// One line for the log: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .moving: "the index key is being moved: try again in a few seconds"
        case .keyMissing(let id):
            "index-\(id) is in force and not in this machine's key file: copy the deployment's current key file here"
        case .unavailable(let store): store.description
        }
    }

    /// The refusal as a failure of the store.
    public var unavailability: StoreUnavailable {
        if case .unavailable(let store) = self { store } else { StoreUnavailable(description: description) }
    }
}

extension Authenticator {
    /// What happens to a unit of work during a move between index keys.
    public enum WorkDuringMove: Sendable {
        /// Work that may claim identifiers or count attempts must wait.
        case refused
        /// Work continues under the former key. Its results are lost after the move, which is acceptable.
        case underFormerKey
    }

    /// Makes this authenticator hash under the index key in force, as all other authenticators of the deployment do.
    /// Call it before each unit of work. The work must end before a move's ``IndexKeyMove/pause(forWorkOf:)`` is over.
    /// - Throws: ``IndexKeyRefusal``.
    public func useIndexKeyInForce(duringMove work: WorkDuringMove = .refused) throws(IndexKeyRefusal) {
        let state = try IndexKeyRefusal.wrapping(currentIndexKeyState())
        switch (state, work) {
        case (.inForce(let id), _), (.moving(let id, _), .underFormerKey):
            guard id != keys.indexKey.id || !keys.hasUsedIndexKey else { return }
            guard let keys = keys.hashing(under: id) else { throw .keyMissing(id: id) }
            self.keys = keys
        case (.moving, .refused): throw .moving
        }
    }

    /// Checks that the store is this deployment's. Call it before each unit of work that needs no index key.
    /// - Throws: ``StoreUnavailable`` if it is not, or does not respond.
    public func checkDeployment() throws(StoreUnavailable) {
        _ = try currentIndexKeyState()
    }

    private func currentIndexKeyState() throws(StoreUnavailable) -> IndexKeyState {
        try caches.indexKeyState.value { () throws(StoreUnavailable) in try store.indexKeyState() }
    }
}
