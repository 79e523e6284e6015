internal import Foundation

/// Requests that send a verification code. Each proves the app.
extension Auth {
    func sendCode(to number: String) async throws -> String {
        let response: SendResponse
        do {
            response = try await withAppProof(for: number) { proof in
                try await self.post(
                    "/v1/accounts:sendVerificationCode",
                    proof.merging(JSONFields(["phoneNumber": number])),
                    as: SendResponse.self
                )
            }
        } catch {
            if let retryAfter = error.dialtoneRetryAfter { resendIsPossible(to: number, after: retryAfter) }
            throw error
        }
        guard let verificationID = response.sessionInfo, !verificationID.isEmpty else { throw Self.noSession }
        let wait = Self.wait(response.resendAfter)
        if let verification = requested(verificationID, number, wait, after: verificationInProgress) {
            save(verification, for: VerificationInProgress.key)
        }
        return verificationID
    }

    func sendEnrollmentCode(to number: String, of user: User) async throws -> String {
        let response = try await secondFactorMessage(to: number, isTyped: true) { proof in
            var fields = JSONFields()
            fields["phoneEnrollmentInfo"] = .fields(proof.merging(JSONFields(["phoneNumber": number])))
            return try await user.post("/v2/accounts/mfaEnrollment:start", fields, as: SendResponse.self)
        }
        guard let session = response.phoneSessionInfo, !session.sessionInfo.isEmpty else { throw Self.noSession }
        secondFactorRequested(session, number, .enrollment(uid: user.uid))
        return session.sessionInfo
    }

    func sendSecondFactorCode(to factor: PhoneMultiFactorInfo, _ pending: PendingSignIn) async throws -> String {
        let response = try await secondFactorMessage(to: factor.phoneNumber) { proof in
            var fields = JSONFields(["mfaPendingCredential": pending.credential, "mfaEnrollmentId": factor.uid])
            fields["phoneSignInInfo"] = .fields(proof)
            return try await self.post("/v2/accounts/mfaSignIn:start", fields, as: SendResponse.self)
        }
        guard let session = response.phoneResponseInfo, !session.sessionInfo.isEmpty else { throw Self.noSession }
        // If the app ends during a link or a reauthentication, another process cannot continue it.
        if pending.isSignIn {
            secondFactorRequested(session, factor.phoneNumber, .signIn(pending, factorID: factor.uid))
        }
        return session.sessionInfo
    }

    /// Requests a message for a second factor. If the server requires a wait, the verification in progress adopts it.
    private func secondFactorMessage(
        to number: String,
        isTyped: Bool = false,
        _ send: @Sendable (_ proof: JSONFields) async throws -> SendResponse
    ) async throws -> SendResponse {
        do {
            return try await withAppProof(for: isTyped ? number : nil, send)
        } catch {
            if let retryAfter = error.dialtoneRetryAfter, var record = secondFactorRecord,
                record.verification.phoneNumber == number
            {
                record.verification.resendAt = resendTime(after: retryAfter)
                save(record, for: SecondFactorRecord.key)
            }
            throw error
        }
    }

    /// Returns the wait that a response specifies, in seconds. An implausible one is replaced by the default, because a
    /// code expires earlier.
    private static func wait(_ resendAfter: String?) -> TimeInterval {
        let wait = resendAfter.flatMap(TimeInterval.init) ?? VerificationInProgress.resendWait
        return (1...VerificationInProgress.lifetime).contains(wait) ? wait : VerificationInProgress.resendWait
    }

    private static var noSession: NSError {
        AuthErrorCode.internalError.error("The server's response has no verification ID.")
    }

    // MARK: The verification in progress

    var verificationInProgress: VerificationInProgress? {
        stored(VerificationInProgress.self, for: VerificationInProgress.key) { $0 }
    }

    var secondFactorRecord: SecondFactorRecord? {
        stored(SecondFactorRecord.self, for: SecondFactorRecord.key) { $0.verification }
    }

    var secondFactorInProgress: SecondFactorInProgress? {
        guard let record = secondFactorRecord else { return nil }
        switch record.purpose {
        case .enrollment(let uid):
            guard currentUser?.uid == uid else { return nil }
            return SecondFactorInProgress(verification: record.verification, resolver: nil)
        case .signIn(let pending, _):
            let resolver = MultiFactorResolver(self, pending) { [self] tokens, signOuts in
                try await signedIn(tokens, pending.provider, false, since: signOuts)
            }
            return SecondFactorInProgress(verification: record.verification, resolver: resolver)
        }
    }

    private func stored<Record: Decodable>(
        _: Record.Type,
        for key: String,
        _ verification: (Record) -> VerificationInProgress
    ) -> Record? {
        guard let data = try? store.read(key), let record = try? JSONDecoder().decode(Record.self, from: data) else {
            return nil
        }
        clock.restore(verification(record).clockOffset)
        // Clocks may differ a little, so the verification may seem to be in the near future.
        let age = abs(clock.now.timeIntervalSince(verification(record).sentAt))
        guard age < VerificationInProgress.lifetime else {
            // A phone number is not kept longer than needed.
            try? store.remove(key)
            return nil
        }
        return record
    }

    /// Returns the verification that is in progress after a request; nil if the current one does not change.
    private func requested(
        _ verificationID: String,
        _ number: String,
        _ wait: TimeInterval,
        after present: VerificationInProgress?
    ) -> VerificationInProgress? {
        let now = clock.now
        let same = present.flatMap { $0.verificationID == verificationID ? $0 : nil }
        // If no new message was sent, the wait stays the same; a second message does not prolong the verification's
        // life.
        if let same, same.resendAt > now { return nil }
        return VerificationInProgress(
            verificationID: verificationID,
            phoneNumber: number,
            sentAt: same?.sentAt ?? now,
            resendAt: now.addingTimeInterval(wait),
            clockOffset: clock.offset
        )
    }

    private func secondFactorRequested(
        _ session: SendResponse.Session,
        _ number: String,
        _ purpose: SecondFactorRecord.Purpose
    ) {
        let present = secondFactorRecord?.verification
        let wait = Self.wait(session.resendAfter)
        guard let verification = requested(session.sessionInfo, number, wait, after: present) else { return }
        save(SecondFactorRecord(verification: verification, purpose: purpose), for: SecondFactorRecord.key)
    }

    private func resendIsPossible(to number: String, after seconds: TimeInterval) {
        guard var verification = verificationInProgress, verification.phoneNumber == number else { return }
        verification.resendAt = resendTime(after: seconds)
        save(verification, for: VerificationInProgress.key)
    }

    private func resendTime(after seconds: TimeInterval) -> Date {
        clock.now.addingTimeInterval(min(seconds, VerificationInProgress.lifetime))
    }

    /// Removes the verification whose code was accepted.
    func verificationEnded(by credential: AuthCredential) {
        if case .phoneCode(let verificationID, _) = credential.kind { forgetVerification(verificationID) }
    }

    /// Removes a verification, if it is the one in progress.
    func forgetVerification(_ verificationID: String) {
        guard verificationInProgress?.verificationID == verificationID else { return }
        try? store.remove(VerificationInProgress.key)
    }

    /// Removes the second factor's verification if its code was accepted, or if another factor was proved instead.
    func secondFactorEnded(by assertion: MultiFactorAssertion) {
        guard let record = secondFactorRecord else { return }
        if case .phone(let credential) = assertion.kind, let answer = credential.answer,
            answer.verificationID != record.verification.verificationID
        {
            return
        }
        try? store.remove(SecondFactorRecord.key)
    }

    /// Stores a record. If that fails, the app can continue unless it is terminated meanwhile.
    private func save(_ record: some Encodable, for key: String) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        try? store.write(data, for: key)
    }
}
