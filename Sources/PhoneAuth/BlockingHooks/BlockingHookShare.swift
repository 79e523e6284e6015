/// How much a request has proven that needs a turn to wait for hooks, least first.
enum BlockingHookShare: Int, CaseIterable {
    /// Nothing: a new address and a password of the client's choice.
    case signUp
    /// A password.
    case password
    /// A message that was sent, for which the app was proven, or an ID token.
    case proven

    /// How many of a project's turns this share and those below it may take together. Some are left to those above,
    /// where there are two or more.
    func turns(of maximum: Int) -> Int {
        switch self {
        case .signUp: max(1, maximum / 2)
        case .password: max(1, maximum * 3 / 4)
        case .proven: maximum
        }
    }
}
