public import Encodings

/// A request for an e-mail with an action link, or for the link alone.
public struct EmailActionRequest: Sendable, Confidential {
    let kind: EmailActionKind
    let link: ActionLink
    /// The address of the account.
    public var email: String?
    /// The address that a change gives to the account.
    public var newEmail: String?
    /// The ID token of the account's user.
    public var idToken: String?
    /// Whether an administrator requests the link, which is then not sent.
    public var returnsLink = false

    /// Creates a request for a link of this kind.
    public init(_ kind: EmailActionKind, _ link: ActionLink) {
        self.kind = kind
        self.link = link
    }

    fileprivate func address() throws(EmailActionRefusal) -> EmailAddress {
        guard let email, !email.isEmpty else { throw .emailMissing }
        return try Self.address(email)
    }

    fileprivate static func address(_ text: String) throws(EmailActionRefusal) -> EmailAddress {
        guard let address = EmailAddress(text) else { throw .credential(.emailInvalid) }
        return address
    }
}

/// The result of a request for an action link.
public struct RequestedEmailAction: Sendable, Confidential {
    /// The account's address.
    public let email: EmailAddress
    /// The code, for an administrator who requested the link.
    public fileprivate(set) var code: String?
    /// The link, for such an administrator.
    public fileprivate(set) var link: String?
}

extension OperationContext {
    /// Sends an e-mail with an action link, or returns the link to an administrator.
    ///
    /// If the project protects against user enumeration (``Project/protectsEmails``), neither the response nor its
    /// timing reveals whether an account has an address: the e-mail is queued in any case, and the dispatcher decides
    /// whether anyone may receive it.
    /// - Throws: ``EmailActionRefusal``; then nothing is sent.
    public func requestEmailAction(
        _ request: EmailActionRequest
    ) throws(EmailActionRefusal) -> RequestedEmailAction {
        guard request.returnsLink || sendsMails else { throw .notOffered }
        let action = try action(request)
        var requested = RequestedEmailAction(email: action.email)
        if request.kind == .passwordReset, request.returnsLink || !project.protectsEmails {
            try EmailActionRefusal.wrapping(failureOf: admit(.emailAddress))
            guard try EmailActionRefusal.wrapping(accountToReset(action.email)) != nil else {
                guard project.protectsEmails else { throw .emailUnknown }
                return requested
            }
        }
        let queued = try EmailActionRefusal.wrapping(
            failureOf: queue(action, request.link, sendsMail: !request.returnsLink)
        )
        let decision = DecisionRecord(
            at: now.milliseconds,
            operation: "sendOobCode",
            project: project.id,
            maskedNumber: nil,
            region: nil,
            outcome: queued == nil ? "repeated" : request.returnsLink ? "link-returned" : "queued",
            detail: request.kind.rawValue,
            mail: queued?.mail
        )
        store.record(decision, as: DecisionReference(requestID: requestID))
        if request.returnsLink, let queued { (requested.code, requested.link) = (queued.code.text, queued.link) }
        return requested
    }

    private func action(_ request: EmailActionRequest) throws(EmailActionRefusal) -> EmailAction {
        switch request.kind {
        case .signIn:
            guard project.isEmailLinkSignInEnabled else { throw .notOffered }
            return EmailAction(.signIn, of: try request.address())
        case .passwordReset:
            guard project.isPasswordSignInEnabled else { throw .notOffered }
            return EmailAction(.passwordReset, of: try request.address())
        case .verifyEmail, .recoverEmail:
            return try accountAction(request, for: .lookUp)
        case .changeEmail:
            // No hook could refuse the address when its user opens the link.
            guard request.returnsLink || project.blockingHooks.beforeSignIn == nil else { throw .notOffered }
            guard let text = request.newEmail, !text.isEmpty else { throw .newEmailMissing }
            let newEmail = try EmailActionRequest.address(text)
            var action = try accountAction(request, for: .changeEmail)
            action.newEmail = newEmail
            if request.returnsLink || !project.protectsEmails {
                try EmailActionRefusal.wrapping(failureOf: admit(.emailAddress))
                guard try EmailActionRefusal.wrapping(holder(of: identifier(newEmail).identity)) == nil else {
                    throw .credential(.emailExists)
                }
            }
            return action
        }
    }

    /// Returns the action for the account of the ID token, or of the address that an administrator names.
    private func accountAction(
        _ request: EmailActionRequest,
        for operation: IDTokenOperation
    ) throws(EmailActionRefusal) -> EmailAction {
        if request.returnsLink, request.idToken == nil {
            let email = try request.address()
            guard let holder = try EmailActionRefusal.wrapping(holder(of: identifier(email).identity)) else {
                throw .accountUnknown
            }
            return EmailAction(
                request.kind,
                of: email,
                uid: holder.identity.uid,
                revocation: holder.record.revocation
            )
        }
        let user = try EmailActionRefusal.wrapping(
            refusalOf: authenticate(idToken: request.idToken ?? "", for: operation)
        )
        guard let email = user.account.email.flatMap({ EmailAddress($0) }) else { throw .emailMissing }
        return EmailAction(request.kind, of: email, uid: user.identity.uid, revocation: user.record.revocation)
    }
}
