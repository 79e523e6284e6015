public import Encodings
public import RedisStore

/// For whom an ``Authenticator`` works: what the audit log tells of the changes that it makes.
public struct Requester: Sendable, Confidential {
    let actor: AuditActor
    let requestID: String?
    let clientAddress: String?
    private let clientVersion: String?

    /// Nobody outside.
    public static let server = Requester(actor: .server)
    /// An operator on the command line.
    public static let commandLine = Requester(actor: .commandLine)

    private init(actor: AuditActor) {
        self.actor = actor
        requestID = nil
        clientAddress = nil
        clientVersion = nil
    }

    /// Somebody who sent a request.
    ///
    /// - Parameters:
    ///   - actor: who that is.
    ///   - requestID: the front end's name for the request.
    ///   - clientAddress: the client's network address in text form.
    ///   - client: what the client calls itself: the protocol's `X-Client-Version`. What is neither printable nor ASCII is left out, and
    ///     what is longer than ``maximumClientBytes`` is cut off.
    public init(actor: AuditActor, requestID: String, clientAddress: String, client: String? = nil) {
        self.actor = actor
        self.requestID = requestID
        self.clientAddress = clientAddress
        clientVersion = client
    }

    /// What the client calls itself, for lists of sessions: few requests begin one.
    var client: String? {
        guard let clientVersion else { return nil }
        let isPrintable = { (byte: UInt8) in 0x20..<0x7F ~= byte }
        let bytes = clientVersion.utf8
        if bytes.count <= Self.maximumClientBytes && bytes.allSatisfy(isPrintable) { return clientVersion }
        return String(decoding: bytes.filter(isPrintable).prefix(Self.maximumClientBytes), as: UTF8.self)
    }

    /// Redis keeps hashes compact whose values are not longer.
    static let maximumClientBytes = 64

    /// The client that works for itself; nil for operators, whom no limit of a network holds up.
    var limitedClient: (address: String, requestID: String)? {
        guard case .user = actor, let clientAddress, let requestID else { return nil }
        return (clientAddress, requestID)
    }
}

extension Authenticator {
    /// What the events of one call have in common; nil where no log is kept. The actor is the requester, if no other is named.
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

    /// What events call the identifiers that an account had when it was read.
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
