internal import Encodings
internal import PhoneNumbers
internal import RedisScripts

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
        let client = proof.binding(of: request.client)
        let binding = client.hash(for: scope, in: project, keys)
        let reference = DecisionReference(requestID: requestID)
        let outcome: VerificationOpening
        let sealedNumber: [UInt8]
        do {
            sealedNumber = try ticket.seal(in: project, keys, environment)
            outcome = try store.openVerification(
                id: id,
                phone: identity,
                sealedNumber: sealedNumber,
                binding: binding,
                client: scope == .signIn ? binding : client.hash(for: .signIn, in: project, keys),
                widerNetworks: IPv6Network(ofAddress: client.networkAddress).map {
                    ClientNetworks.containing($0, for: "wrong-code-network", in: project, keys)
                } ?? [],
                isOfAccount: isOfAccount,
                purpose: scope.purpose.rawValue,
                codeSource: number.codeSource.rawValue,
                locale: request.locale,
                ending: request.ending?.stored ?? "",
                reference: reference,
                maskedNumber: phone.description,
                region: phoneNumbers.regionInWords(of: phone),
                proof: proof.grounds.name,
                now: now.milliseconds,
                lockMilliseconds: policy.lockLifetime.milliseconds,
                sessionMilliseconds: policy.verificationLifetime.milliseconds,
                attempts: policy.attemptsPerVerification,
                leastLifeToResendMilliseconds: policy.leastLifeToResend.milliseconds,
                numberLimits: sendLimits(of: identity),
                sharedLimits: sharedSendLimits(from: request.client.networkAddress, provenBy: proof.grounds),
                tollFraudCheck: tollFraudCheck(of: phone, provenBy: proof, request)
            )
        } catch let error as StoreUnavailable {
            throw .unavailable(error)
        } catch {
            throw .internalFailure
        }
        switch outcome {
        case .opened:
            return SentVerificationCode(
                sessionInfo: ticket.text(sealedNumber: sealedNumber),
                phone: phone,
                outcome: number.codeSource == .testNumber ? .testNumber : .opened
            )
        case .resent(let earlier, let sealedNumber):
            return sent(earlier, sealedNumber, ticket, phone, .resent)
        case .reentered(let earlier, let sealedNumber):
            return sent(earlier, sealedNumber, ticket, phone, .reentered)
        case .limited(let exceeded):
            throw .limited(RateLimitRefusal(exceeded), phone)
        case .steppedUp(let stepUp):
            if stepUp.level == .challenged { challengeNetwork(of: request.client.networkAddress) }
            throw .steppedUp(stepUp, phone)
        }
    }

    private func sent(
        _ earlier: VerificationID,
        _ sealedNumber: [UInt8],
        _ ticket: VerificationTicket,
        _ phone: E164,
        _ outcome: SentVerificationCode.Outcome
    ) -> SentVerificationCode {
        let earlierTicket = VerificationTicket(
            id: earlier,
            scope: ticket.scope,
            codeSource: ticket.codeSource,
            phoneNumber: ticket.phoneNumber
        )
        return SentVerificationCode(
            sessionInfo: earlierTicket.text(sealedNumber: sealedNumber),
            phone: phone,
            outcome: ticket.codeSource == .testNumber ? .testNumber : outcome
        )
    }
}
