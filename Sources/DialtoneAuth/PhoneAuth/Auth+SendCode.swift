internal import Foundation

/// Requests that send a code. Each proves the app.
extension Auth {
    func sendCode(to number: String) async throws -> String {
        let response: SendResponse
        do {
            response = try await withAppProof { proof in
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
        let wait = response.resendAfter.flatMap(TimeInterval.init) ?? VerificationInProgress.resendWait
        // What cannot be is not taken from the server: the code ends earlier.
        let isPossible = (1...VerificationInProgress.lifetime).contains(wait)
        messageWasRequested(verificationID, number, isPossible ? wait : VerificationInProgress.resendWait)
        return verificationID
    }

    func sendEnrollmentCode(to number: String, of user: User) async throws -> String {
        let response = try await withAppProof { proof in
            var fields = JSONFields()
            fields["phoneEnrollmentInfo"] = .fields(proof.merging(JSONFields(["phoneNumber": number])))
            return try await user.post("/v2/accounts/mfaEnrollment:start", fields, as: SendResponse.self)
        }
        guard let session = response.phoneSessionInfo?.sessionInfo, !session.isEmpty else { throw Self.noSession }
        return session
    }

    func sendSecondFactorCode(to factorID: String, _ pendingCredential: String) async throws -> String {
        let response = try await withAppProof { proof in
            var fields = JSONFields(["mfaPendingCredential": pendingCredential, "mfaEnrollmentId": factorID])
            fields["phoneSignInInfo"] = .fields(proof)
            return try await self.post("/v2/accounts/mfaSignIn:start", fields, as: SendResponse.self)
        }
        guard let session = response.phoneResponseInfo?.sessionInfo, !session.isEmpty else { throw Self.noSession }
        return session
    }

    private static var noSession: NSError {
        AuthErrorCode.internalError.error("The server's response has no verification ID.")
    }

    // MARK: The verification in progress

    var verificationInProgress: VerificationInProgress? {
        guard let data = try? store.read(VerificationInProgress.key),
            let verification = try? JSONDecoder().decode(VerificationInProgress.self, from: data)
        else { return nil }
        clock.restore(verification.clockOffset)
        // Within what clocks differ, it may seem to be of the near future.
        let age = abs(clock.now.timeIntervalSince(verification.sentAt))
        guard age < VerificationInProgress.lifetime else {
            // A phone number is not kept without need.
            try? store.remove(VerificationInProgress.key)
            return nil
        }
        return verification
    }

    private func messageWasRequested(_ verificationID: String, _ number: String, _ wait: TimeInterval) {
        let now = clock.now
        let present = verificationInProgress.flatMap { $0.verificationID == verificationID ? $0 : nil }
        // The same verification without a new message keeps its wait, and a second message does not prolong its life.
        if let present, present.resendAt > now { return }
        store(
            VerificationInProgress(
                verificationID: verificationID,
                phoneNumber: number,
                sentAt: present?.sentAt ?? now,
                resendAt: now.addingTimeInterval(wait),
                clockOffset: clock.offset
            )
        )
    }

    private func resendIsPossible(to number: String, after seconds: TimeInterval) {
        guard var verification = verificationInProgress, verification.phoneNumber == number else { return }
        verification.resendAt = clock.now.addingTimeInterval(min(seconds, VerificationInProgress.lifetime))
        store(verification)
    }

    /// Forgets the verification whose code was accepted.
    func verificationEnded(by credential: AuthCredential) {
        guard case .phoneCode(let verificationID, _) = credential.kind,
            verificationInProgress?.verificationID == verificationID
        else { return }
        try? store.remove(VerificationInProgress.key)
    }

    /// If it cannot be stored, the app can go on unless it is ended meanwhile.
    private func store(_ verification: VerificationInProgress) {
        guard let data = try? JSONEncoder().encode(verification) else { return }
        try? store.write(data, for: VerificationInProgress.key)
    }
}
