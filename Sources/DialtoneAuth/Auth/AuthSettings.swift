/// Settings of an ``Auth``.
public final class AuthSettings: Sendable {
    private let isDisabled = Locked(false)

    init() {}

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
