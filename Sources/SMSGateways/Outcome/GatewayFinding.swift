/// One of our words for what a gateway said, with its own number for it where it gave one.
public struct GatewayFinding<Kind: RawRepresentable & Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible
where Kind.RawValue == String {
    /// Our word.
    public let kind: Kind
    /// The gateway's code; the HTTP status where it gave no code of its own.
    public let code: GatewayCode?

    /// A finding.
    public init(_ kind: Kind, _ code: GatewayCode? = nil) {
        self.kind = kind
        self.code = code
    }

    /// Our word, and the code in brackets.
    public var description: String { code.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue }
}

/// Why a gateway will not send a message.
public typealias GatewayRefusal = GatewayFinding<RefusalKind>
/// Why a message may have to be sent again.
public typealias GatewayTrouble = GatewayFinding<TroubleKind>
/// What the operator has to correct.
public typealias GatewayMisconfiguration = GatewayFinding<MisconfigurationKind>
