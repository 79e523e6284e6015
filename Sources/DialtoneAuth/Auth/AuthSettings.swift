internal import Foundation

/// Settings of an ``Auth``.
public final class AuthSettings: Sendable {
    private let isDisabled: Locked<Bool>

    /// Creates settings.
    public init() { isDisabled = Locked(false) }

    init(copying settings: AuthSettings) { isDisabled = Locked(settings.isAppVerificationDisabledForTesting) }

    /// Whether the app sends no proof of itself. For integration tests with test numbers: requests for real numbers
    /// then fail.
    public var isAppVerificationDisabledForTesting: Bool {
        get { isDisabled.withLock { $0 } }
        set { isDisabled.withLock { $0 = newValue } }
    }

    /// See ``isAppVerificationDisabledForTesting``.
    public var appVerificationDisabledForTesting: Bool {
        get { isAppVerificationDisabledForTesting }
        set { isAppVerificationDisabledForTesting = newValue }
    }
}

extension Auth {
    /// Uses a server in development mode, such as one that `make run` starts, over plain HTTP.
    ///
    /// For development only: anyone who can read the traffic can read the tokens. Call it before anything else. The
    /// session is separate from that of the configured server: neither server receives tokens of the other. As with
    /// ``AuthSettings/isAppVerificationDisabledForTesting``, messages need no proof of the app. Pins of public keys do
    /// not apply.
    ///
    /// - Parameters:
    ///   - host: the host, such as `localhost`, or the address of the machine in the network of a device.
    ///   - port: the TCP port. If the host or the port is invalid, each call fails with a description of the error.
    public func useEmulator(withHost host: String, port: Int) {
        let server = ServerURL(emulatorHost: host, port: port)
        settings?.isAppVerificationDisabledForTesting = true
        state.withLock { state in
            state.user?.isOfFormerServer.withLock { $0 = true }
            state.signOuts += 1
            state.fault =
                options.keyFault
                ?? (server == nil ? "\"\(host.prefix(100)):\(port)\": not a host and a port of an emulator." : nil)
            state.client = state.fault == nil ? server.map { client(of: $0, pins: nil) } : nil
            state.place = SessionPlace(store: store, key: StoredSession.emulatorKey)
            state.accessGroup = nil
            state.isRestored = false
            replace(nil, in: &state)
        }
        restore()
    }
}
