internal import Encodings
internal import RedisScripts

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

    /// Calls the project's hook for a user.
    /// - Returns: the hook's changes; empty if the project has no such hook.
    func ask(
        _ event: BlockingHookEvent,
        about user: HookedUser,
        _ request: TokenRequest,
        _ hooks: SignInHooks
    ) throws(OperationFailure) -> HookChanges {
        guard let hook = project.blockingHooks[event] else { return HookChanges() }
        // The previous hook may have taken seconds.
        let operation = resumed()
        let jwt: String
        do {
            let token = HookToken(
                event: event,
                hook: hook,
                user: user,
                provider: request.provider,
                secondFactor: request.sessionFactor,
                enrollment: try request.enrollment.map { enrollment throws(CryptographyFailure) in
                    try operation.hooked(enrollment, of: user)
                },
                client: hooks.client,
                id: Base64URL.string(environment.randomBytes(16))
            )
            jwt = try token.signed(with: keys.signingKey(at: operation.now), at: operation.now, in: project, policy)
        } catch {
            throw .cryptographyFailed
        }
        let body = JSONWriter.object { json in json.object("data") { $0.member("jwt", jwt) } }
        let (reply, duration) = try hooks.takeSlot().call(hook, body)
        // The time of the hook does not count against the store's deadline.
        store.extendDeadline(by: duration)
        switch reply {
        case .answered(status: 200..<300, let body):
            do { return try HookChanges(body, to: event) } catch { throw .failed(error, of: event, hook) }
        case .answered(let status, let body):
            throw .blocked(.denied(BlockingHookDenial(event, hook, status: status, body)))
        case .timedOut: throw .failed(.timedOut, of: event, hook)
        case .unreachable(let reason): throw .failed(.unreachable(reason), of: event, hook)
        }
    }
}

extension OperationContext {
    private func hooked(
        _ enrollment: SecondFactorEnrollment,
        of user: HookedUser
    ) throws(CryptographyFailure) -> HookedEnrollment {
        let code = SecondFactorRevertCode(reverting: enrollment.factor.id, of: user.uid, at: now)
        return HookedEnrollment(
            factor: enrollment.factor,
            revertCode: try code.text(in: project, keys, environment)
        )
    }
}

extension OperationFailure {
    fileprivate static func failed(
        _ fault: BlockingHookFault,
        of event: BlockingHookEvent,
        _ hook: ServiceURL
    ) -> OperationFailure {
        .blocked(.failed(fault, of: event, hook: hook))
    }
}
