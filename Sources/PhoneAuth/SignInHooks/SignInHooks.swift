/// The hooks that one sign-in or enrollment calls. Confined to the request's thread.
final class SignInHooks {
    let client: ClientDescription
    private let slots: BlockingHookSlots?
    private let project: Project
    private let share: BlockingHookShare
    private var slot: BlockingHookSlot?

    init(
        _ slots: BlockingHookSlots?,
        _ client: ClientDescription,
        _ share: BlockingHookShare,
        in project: Project
    ) {
        self.share = share
        self.slots = slots
        self.client = client
        self.project = project
    }

    /// Takes a slot, unless this request has one. Call it before a secret is verified, so that a refusal reveals
    /// nothing about the secret and consumes nothing that the user would have to get again.
    @discardableResult func takeSlot() throws(OperationFailure) -> BlockingHookSlot {
        if let slot { return slot }
        guard let slot = slots?.slot(in: project.id, for: share) else { throw .blocked(.busy) }
        self.slot = slot
        return slot
    }

    /// Rejects a request that would get no slot now. For secrets that take long to verify: a slot held meanwhile would
    /// be unavailable to other requests.
    func checkRoom() throws(OperationFailure) {
        guard slot != nil || slots?.hasRoom(in: project.id, for: share) == true else { throw .blocked(.busy) }
    }
}

extension OperationContext {
    /// Returns the hooks for these events; nil if the project has none of them.
    func hooks(
        about events: [BlockingHookEvent] = BlockingHookEvent.ofSignIns,
        for client: ClientDescription,
        _ share: BlockingHookShare
    ) -> SignInHooks? {
        guard events.contains(where: { project.blockingHooks[$0] != nil }) else { return nil }
        return SignInHooks(authenticator.blockingHookSlots, client, share, in: project)
    }
}
