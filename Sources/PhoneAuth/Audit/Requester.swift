public import Encodings
public import RedisStore

/// The requester of an ``Authenticator``'s operations: what the audit log records as the origin of changes.
public struct Requester: Sendable, Confidential {
    let actor: AuditActor
    let requestID: String?
    let clientAddress: String?
    private let clientVersion: String?

    /// The server itself.
    public static let server = Requester(actor: .server)
    /// An operator on the command line.
    public static let commandLine = Requester(actor: .commandLine)

    private init(actor: AuditActor) {
        self.actor = actor
        requestID = nil
        clientAddress = nil
        clientVersion = nil
    }

    /// Creates the requester of an HTTP request.
    ///
    /// - Parameters:
    ///   - actor: the requester's role and identity.
    ///   - requestID: the front end's id of the request.
    ///   - clientAddress: the client's network address in text form.
    ///   - client: the client's name for itself: the protocol's `X-Client-Version`. Bytes that are not printable ASCII
    ///     are removed; the rest is cut off after ``maximumClientBytes``.
    public init(actor: AuditActor, requestID: String, clientAddress: String, client: String? = nil) {
        self.actor = actor
        self.requestID = requestID
        self.clientAddress = clientAddress
        clientVersion = client
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

extension Authenticator {
    /// Returns what the events of one call have in common; nil if there is no audit log. `actor` defaults to the
    /// requester's.
    func audit(
        by actor: AuditActor? = nil,
        about identifiers: AuditedIdentifiers,
        in project: Project
    ) -> AuditContext? {
        guard policy.auditRetention > .zero else { return nil }
        let network = requester.clientAddress.map { address in
            NetworkIdentity(ofAddress: address, for: "audit-network", in: project, keys, among: store.shards)
        }
        return AuditContext(
            now: environment.now().milliseconds,
            project: project.id,
            actor: actor ?? requester.actor,
            reference: requester.requestID.map { DecisionReference(requestID: $0) },
            networkHash: network?.hash,
            identifiers: identifiers,
            retention: AuditContext.Retention(
                milliseconds: policy.auditRetention.milliseconds,
                events: policy.auditEvents,
                among: store.shards
            )
        )
    }

    /// Returns the names that events use for the identifiers that an account had when it was read.
    func identifiers(of account: Account, _ record: AccountRecord, in project: Project) -> AuditedIdentifiers {
        var identifiers = AuditedIdentifiers()
        if let number = account.phoneNumber, let claimID = record.numberClaimID {
            identifiers.add(identity(of: number, in: project), claimID: claimID)
        }
        if let email = account.email.flatMap({ EmailAddress($0) }), let claimID = record.emailClaimID {
            identifiers.add(identifier(email, in: project).identity, claimID: claimID)
        }
        return identifiers
    }

    func identifiers(of user: AuthenticatedUser, in project: Project) -> AuditedIdentifiers {
        identifiers(of: user.account, user.record, in: project)
    }
}
