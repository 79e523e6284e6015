/// What a request that needs a hook slot has proven, least first.
enum BlockingHookShare: Int, CaseIterable {
    /// Nothing: a sign-up with a new address and a password of the client's choice.
    case signUp
    /// A password.
    case password
    /// A verification session whose message was sent after app verification, or an ID token.
    case proven

    /// Returns how many of a project's slots this share and the lower ones may take together. Some slots are reserved
    /// for the higher shares, if there are at least two slots.
    func slots(of maximum: Int) -> Int {
        switch self {
        case .signUp: max(1, maximum / 2)
        case .password: max(1, maximum * 3 / 4)
        case .proven: maximum
        }
    }
}
