/// Dialtone's classification of a gateway's response, with the gateway's own error code if it gave one.
public struct GatewayFinding<Kind: RawRepresentable & Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible
where Kind.RawValue == String {
    /// The classification.
    public let kind: Kind
    /// The gateway's error code, or the HTTP status if the gateway gave no code.
    public let code: GatewayCode?

    /// Creates a finding.
    public init(_ kind: Kind, _ code: GatewayCode? = nil) {
        self.kind = kind
        self.code = code
    }

    /// The classification, with the code in parentheses.
    public var description: String { code.map { "\(kind.rawValue) (\($0))" } ?? kind.rawValue }
}

/// Why a gateway refuses to send a message.
public typealias GatewayRefusal = GatewayFinding<RefusalKind>
/// Why a message may have to be sent again.
public typealias GatewayTrouble = GatewayFinding<TroubleKind>
/// What the operator has to correct.
public typealias GatewayMisconfiguration = GatewayFinding<MisconfigurationKind>
