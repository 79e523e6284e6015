internal import PhoneNumbers

extension OperationContext {
    /// Opens a session for a number and queues its message, or returns the session that this client already has.
    func openVerification(
        for number: AdmittedNumber,
        provenBy proof: AppProof,
        _ scope: VerificationScope,
        _ request: SendVerificationCodeRequest,
        isOfAccount: Bool
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        // The grounds `.testNumber` prove nothing, so they are valid only for numbers that no message is sent to.
        guard proof.grounds != .testNumber || number.codeSource == .testNumber else { throw .internalFailure }
        let phone = number.phone
        let identity = identity(of: phone.text)
        guard let id = VerificationID(project: project.id, bytes: environment.randomBytes(VerificationID.byteCount))
        else {
            throw .internalFailure
        }
        let ticket = VerificationTicket(id: id, scope: scope, codeSource: number.codeSource, phoneNumber: phone.text)
        let isTestNumber = number.codeSource == .testNumber
        // No message is sent to a test number.
        let rates = isTestNumber ? [] : sharedSendLimits(from: request.client.networkAddress, provenBy: proof.grounds)
        let routing = try routing(of: phone, request)
        let check = tollFraudCheck(of: phone, provenBy: proof, price: routing.first.price)
        let outcome: VerificationOpening
        let sealedNumber: [UInt8]
        do {
            sealedNumber = try ticket.seal(in: project, keys, environment)
            outcome = try store.openVerification(
                VerificationToOpen(
                    ticket: ticket,
                    sealedNumber: sealedNumber,
                    phone: identity,
                    client: proof.binding(of: request.client).client(for: scope, in: project, keys),
                    isOfAccount: isOfAccount,
                    message: MessageContent(
                        purpose: scope.purpose,
                        queuedAt: now,
                        price: check.price,
                        ending: request.ending,
                        locale: request.locale
                    ),
                    routing: routing,
                    decision: DecidedRequest(
                        reference: DecisionReference(requestID: requestID),
                        operation: scope.purpose.operation,
                        number: phone,
                        region: phoneNumbers.regionInWords(of: phone),
                        proof: proof.grounds.name,
                        at: now,
                        limits: sendLimits(of: identity) + rates
                    ),
                    check: check
                ),
                under: policy
            )
        } catch let error as StoreUnavailable {
            throw .unavailable(error)
        } catch {
            throw .internalFailure
        }
        return try result(outcome, ticket, sealedNumber, number, routing, request)
    }

    /// Returns the session that was opened or found, and counts its message.
    private func result(
        _ opening: VerificationOpening,
        _ ticket: VerificationTicket,
        _ sealedNumber: [UInt8],
        _ number: AdmittedNumber,
        _ routing: MessageRouting,
        _ request: SendVerificationCodeRequest
    ) throws(SendVerificationCodeRefusal) -> SentVerificationCode {
        let (phone, isTestNumber) = (number.phone, number.codeSource == .testNumber)
        func sent(
            _ outcome: SentVerificationCode.Outcome,
            _ sealedNumber: [UInt8],
            earlier: VerificationID? = nil
        ) -> SentVerificationCode {
            var ticket = ticket
            if let earlier { ticket.id = earlier }
            return SentVerificationCode(
                sessionInfo: ticket.text(sealedNumber: sealedNumber),
                phone: phone,
                outcome: isTestNumber ? .testNumber : outcome,
                channels: isTestNumber ? [] : policy.routing.channels(for: phone)
            )
        }
        switch opening {
        case .opened:
            if !isTestNumber { routing.count(asResend: false) }
            return sent(.opened, sealedNumber)
        case .resent(let earlier, let sealedNumber):
            if !isTestNumber { routing.count(asResend: true) }
            return sent(.resent, sealedNumber, earlier: earlier)
        case .reentered(let earlier, let sealedNumber): return sent(.reentered, sealedNumber, earlier: earlier)
        case .limited(let exceeded):
            throw .limited(RateLimitRefusal(exceeded), phone)
        case .steppedUp(let stepUp):
            if stepUp.level == .challenged { challengeNetwork(of: request.client.networkAddress) }
            throw .steppedUp(stepUp, phone)
        }
    }
}
