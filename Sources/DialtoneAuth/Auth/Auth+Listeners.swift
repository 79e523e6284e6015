public import Foundation

/// A handle that removes a listener.
public typealias AuthStateDidChangeListenerHandle = NSObjectProtocol
/// A handle that removes a listener.
public typealias IDTokenDidChangeListenerHandle = NSObjectProtocol

/// A listener, which is also its own handle.
final class Listener: NSObject, Sendable {
    let isOfState: Bool
    // Only `call` uses it, on the main actor.
    nonisolated(unsafe) private let body: (Auth, User?) -> Void
    private let end: @Sendable () -> Void
    private let isRemoved = Locked(false)

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - isOfState: whether the listener is called for sign-ins and sign-outs only, and not for changes of the ID
    ///     token.
    ///   - end: called after the last call: the listener was removed, or its ``Auth`` was deallocated.
    ///   - body: called after each change.
    init(
        isOfState: Bool,
        end: @escaping @Sendable () -> Void = {},
        _ body: @escaping (Auth, User?) -> Void
    ) {
        self.isOfState = isOfState
        self.end = end
        self.body = body
    }

    deinit { end() }

    func remove() { isRemoved.withLock { $0 = true } }

    /// Calls the listener, unless it was removed.
    @MainActor func call(_ auth: Auth, _ user: User?) {
        if !isRemoved.withLock({ $0 }) { body(auth, user) }
    }
}

extension Auth {
    /// The name of the notification that is posted on the main actor when a user signs in or out, and when the ID token
    /// changes. Its object is the ``Auth``.
    public static let authStateDidChangeNotification = NSNotification.Name("FIRAuthStateDidChangeNotification")

    /// Calls a listener now and whenever a user signs in or out.
    ///
    /// - Returns: the handle for ``removeStateDidChangeListener(_:)``.
    @discardableResult public func addStateDidChangeListener(
        _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
        add(Listener(isOfState: true, listener))
    }

    /// Removes a listener.
    public func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) { remove(listenerHandle) }

    /// Calls a listener now, whenever a user signs in or out, and whenever the user's ID token changes.
    ///
    /// - Returns: the handle for ``removeIDTokenDidChangeListener(_:)``.
    @discardableResult public func addIDTokenDidChangeListener(
        _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
        add(Listener(isOfState: false, listener))
    }

    /// Removes a listener.
    public func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) { remove(listenerHandle) }

    /// The user now and after each sign-in or sign-out.
    public var authStateChanges: AsyncStream<User?> { changes(ofState: true) }

    /// The user now, after each sign-in or sign-out, and after each change of the ID token.
    public var idTokenChanges: AsyncStream<User?> { changes(ofState: false) }

    private func changes(ofState isOfState: Bool) -> AsyncStream<User?> {
        AsyncStream { continuation in
            let end: @Sendable () -> Void = { continuation.finish() }
            let listener = add(Listener(isOfState: isOfState, end: end) { _, user in continuation.yield(user) })
            // The listener refers to the continuation.
            continuation.onTermination = { [weak self, weak listener] _ in
                if let listener { self?.remove(listener) }
            }
        }
    }

    private func add(_ listener: Listener) -> Listener {
        _ = currentUser
        state.withLock { state in
            state.listeners.append(listener)
            notify([listener], state.user, isChange: false)
        }
        return listener
    }

    private func remove(_ handle: any NSObjectProtocol) {
        guard let listener = handle as? Listener else { return }
        listener.remove()
        state.withLock { $0.listeners.removeAll { $0 === listener } }
    }

    /// Calls listeners on the main actor, in the order of the changes. A queue keeps this order; tasks may not.
    ///
    /// - Parameters:
    ///   - listeners: the listeners to call.
    ///   - user: the user after the change.
    ///   - isChange: whether there was a change; if not, the listeners are new, and no notification is posted.
    func notify(_ listeners: [Listener], _ user: User?, isChange: Bool) {
        DispatchQueue.main.async { [self] in
            MainActor.assumeIsolated {
                for listener in listeners { listener.call(self, user) }
                guard isChange else { return }
                NotificationCenter.default.post(name: Self.authStateDidChangeNotification, object: self)
            }
        }
    }
}

extension NSNotification.Name {
    /// See ``Auth/authStateDidChangeNotification``.
    public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}
