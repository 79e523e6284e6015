/// Why a request had no response, and whether the gateway may have received it anyway.
struct ExchangeFailure: Error, Equatable, Sendable {
    let kind: TroubleKind
    let mayBeSent: Bool

    init(_ kind: TroubleKind, mayBeSent: Bool) {
        self.kind = kind
        self.mayBeSent = mayBeSent
    }
}
