#if canImport(Combine)
    public import Combine

    /// A ``PhoneSignIn`` for SwiftUI: views that observe it are updated when its state changes. It sets
    /// ``PhoneSignIn/onChange``.
    @MainActor public final class ObservedPhoneSignIn: ObservableObject {
        /// The sign-in, whose functions a view calls.
        public let signIn: PhoneSignIn
        /// The state that a view shows.
        @Published public private(set) var state: PhoneSignIn.State

        /// Observes a sign-in.
        public init(_ signIn: PhoneSignIn) {
            self.signIn = signIn
            state = signIn.state
            signIn.onChange = { [weak self] in self?.state = $0 }
        }
    }
#endif
