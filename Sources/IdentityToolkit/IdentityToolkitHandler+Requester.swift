internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    /// Attributes later changes to the actor who sent the request.
    mutating func work(for actor: AuditActor, _ request: borrowing Request, _ requestID: String) {
        let clientAddress = request.parameter("REMOTE_ADDR") ?? ""
        authenticator.requester = Requester(
            actor: actor,
            requestID: requestID,
            clientAddress: clientAddress,
            client: request.parameter("HTTP_X_CLIENT_VERSION")
        )
    }
}
