internal import Encodings
internal import RedisScripts

extension OperationContext {
    /// Returns what the events of one call have in common; nil if there is no audit log. `actor` defaults to the
    /// requester's. Only for operators the client's address `showsAddress` itself: that of a user is personal data.
    func audit(
        by actor: AuditActor? = nil,
        about identifiers: AuditedIdentifiers,
        showsAddress: Bool = false
    ) -> AuditContext? {
        guard policy.auditRetention > .zero else { return nil }
        let network = requester.clientAddress.map { address in
            showsAddress
                ? address
                : NetworkIdentity(ofAddress: address, for: "audit-network", in: project, keys).hash
        }
        return AuditContext(
            // Not the operation's time: a hook may have taken seconds since.
            now: environment.now().milliseconds,
            project: project.id,
            actor: actor ?? requester.actor,
            reference: requester.requestID.map { DecisionReference(requestID: $0) },
            networkHash: network,
            identifiers: identifiers,
            retention: AuditContext.Retention(
                milliseconds: policy.auditRetention.milliseconds,
                events: policy.auditEvents,
                among: store.shards
            )
        )
    }

    /// Returns the names that events use for the identifiers that an account had when it was read.
    func identifiers(of account: Account, _ record: AccountRecord) -> AuditedIdentifiers {
        var identifiers = AuditedIdentifiers()
        if let number = account.phoneNumber, let claimID = record.numberClaimID {
            identifiers.add(identity(of: number), claimID: claimID)
        }
        if let email = account.email.flatMap({ EmailAddress($0) }), let claimID = record.emailClaimID {
            identifiers.add(identifier(email).identity, claimID: claimID)
        }
        return identifiers
    }
}
