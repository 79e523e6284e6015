/// Why a request had no answer, and whether it may have arrived all the same.
struct ExchangeFailure: Error, Equatable, Sendable {
    let kind: TroubleKind
    let mayBeSent: Bool

    init(_ kind: TroubleKind, mayBeSent: Bool) {
        self.kind = kind
        self.mayBeSent = mayBeSent
    }
}
