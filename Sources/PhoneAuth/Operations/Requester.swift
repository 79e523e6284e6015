public import Encodings

/// The requester of an ``Authenticator``'s operations: what the audit log records as the origin of changes.
public struct Requester: Sendable, Confidential {
    let actor: AuditActor
    let requestID: String?
    let idempotencyKey: IdempotencyKey?
    let clientAddress: String?
    private let clientVersion: String?

    /// The server itself.
    public static let server = Requester(actor: .server)

    /// Returns an operator on the command line with a name: their user and host.
    public static func commandLine(as name: String) -> Requester { Requester(actor: .commandLine(name)) }

    /// Creates the requester of an HTTP request.
    ///
    /// - Parameters:
    ///   - actor: the requester's role and identity.
    ///   - requestID: the front end's id of the request; nil if it is unknown.
    ///   - idempotencyKey: the client's key for the request; nil if it sent none.
    ///   - clientAddress: the client's network address in text form; nil if it is unknown.
    ///   - client: the client's name for itself: the protocol's `X-Client-Version`. Bytes that are not printable ASCII
    ///     are removed; the rest is cut off after ``maximumClientBytes``.
    public init(
        actor: AuditActor,
        requestID: String? = nil,
        idempotencyKey: IdempotencyKey? = nil,
        clientAddress: String? = nil,
        client: String? = nil
    ) {
        self.actor = actor
        self.requestID = requestID
        self.idempotencyKey = idempotencyKey
        self.clientAddress = clientAddress
        clientVersion = client
    }

    /// Creates the requester of an HTTP request in a project: a user, unless an administrator has been authenticated.
    public init(
        _ administrator: Administrator?,
        in project: Project,
        requestID: String,
        idempotencyKey: IdempotencyKey?,
        clientAddress: String,
        client: String?
    ) {
        self.init(
            actor: administrator?.actor(in: project) ?? .user,
            requestID: requestID,
            idempotencyKey: idempotencyKey,
            clientAddress: clientAddress,
            client: client
        )
    }

    /// The client's name for itself, for lists of sessions. Computed on demand, because few requests begin a session.
    var client: String? {
        guard let clientVersion else { return nil }
        let isPrintable = { (byte: UInt8) in 0x20..<0x7F ~= byte }
        let bytes = clientVersion.utf8
        if bytes.count <= Self.maximumClientBytes && bytes.allSatisfy(isPrintable) { return clientVersion }
        return String(decoding: bytes.filter(isPrintable).prefix(Self.maximumClientBytes), as: UTF8.self)
    }

    /// Redis stores a hash compactly only if its values are not longer.
    static let maximumClientBytes = 64

    /// The client to which rate limits per network apply; nil for operators, who are exempt.
    var limitedClient: (address: String, requestID: String)? {
        guard case .user = actor, let clientAddress, let requestID else { return nil }
        return (clientAddress, requestID)
    }
}

/// The author of a change in the audit log.
public enum AuditActor: Sendable, Hashable {
    /// The account's own user.
    case user
    /// One of the operator's servers, through a custom token or as an administrator; the service account's name.
    case serviceAccount(String)
    /// The holder of an admin token; the token's id.
    case administrator(String)
    /// An operator on the command line: the user and the host, or "" if unknown.
    case commandLine(String)
    /// Dialtone itself, by a rule that the operator set.
    case server

    /// Whether the log records all changes of fields, and not only those that affect how a user signs in.
    var isOperator: Bool {
        switch self {
        case .serviceAccount, .administrator, .commandLine: true
        case .user, .server: false
        }
    }

    /// The actor as written in the log.
    public var text: String {
        switch self {
        case .user: "user"
        case .serviceAccount(let name): "service-account \(name)"
        case .administrator(let name): "administrator \(name)"
        case .commandLine(let name): name.isEmpty ? "command-line" : "command-line \(name)"
        case .server: "server"
        }
    }
}
