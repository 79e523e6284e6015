#if canImport(Combine)
    internal import Combine

    /// An observable ``PhoneSignIn``, whose changes make SwiftUI update its views.
    @MainActor final class ObservedPhoneSignIn: ObservableObject {
        let signIn: PhoneSignIn
        @Published private(set) var state: PhoneSignIn.State

        init(_ signIn: PhoneSignIn) {
            self.signIn = signIn
            state = signIn.state
            signIn.onChange = { [weak self] in self?.state = $0 }
        }
    }
#endif
