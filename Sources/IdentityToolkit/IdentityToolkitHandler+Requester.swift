internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    /// The same, whose changes are those of somebody who sent a request.
    func working(
        for actor: AuditActor,
        _ request: borrowing Request,
        _ requestID: String
    ) -> IdentityToolkitHandler {
        let clientAddress = request.parameter("REMOTE_ADDR") ?? ""
        var handler = self
        handler.authenticator = authenticator.working(
            for: Requester(actor: actor, requestID: requestID, clientAddress: clientAddress)
        )
        return handler
    }
}
