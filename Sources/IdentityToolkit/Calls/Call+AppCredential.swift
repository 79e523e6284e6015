internal import MessageTexts
internal import PhoneAuth

/// The fields by which an app proves itself, the same wherever it requests a message or an account.
extension Call {
    /// Returns the request to send a verification code, with the app credential.
    func messageRequest() throws(WireError) -> SendVerificationCodeRequest {
        SendVerificationCodeRequest(
            phoneNumber: try fields.text("phoneNumber") ?? "",
            credential: try appCredential(),
            app: app,
            client: .network(address: client.networkAddress, apiKey: apiKey),
            locale: client.locale,
            ending: try messageEnding()
        )
    }

    /// Returns the app credential of a sign-up.
    func appProofRequest() throws(WireError) -> AppProofRequest {
        AppProofRequest(
            credential: try appCredential(),
            app: app,
            networkAddress: client.networkAddress
        )
    }

    /// Returns the ending of the message. Android apps send their SMS Retriever hash; for web apps the message names
    /// the site to which the code is bound (WebOTP). An unregistered hash is ignored and the message is sent without
    /// it: the user can still type the code.
    private func messageEnding() throws(WireError) -> MessageEnding? {
        if let hash = try fields.fields("autoRetrievalInfo")?.text("appSignatureHash").flatMap(AppSignatureHash.init),
            project.androidApps.allows(hash)
        {
            return .smsRetriever(appHash: hash)
        }
        guard let origin, origin.hasPrefix("https://") else { return nil }
        let domain = String(origin.dropFirst("https://".count))
        guard project.authorizedDomains.contains(domain) else { return nil }
        return BoundHost(domain).map { .boundTo(host: $0) }
    }

    /// Returns the app credential. Empty fields count as absent, except a web app's challenge token: SDKs in testing
    /// mode send an empty or made-up token, and must get the same error for both.
    private func appCredential() throws(WireError) -> AppCredential {
        if let receipt = try fields.nonEmptyText("iosReceipt") {
            return .pushReceipt(receipt: receipt, secret: try fields.text("iosSecret") ?? "")
        }
        if let token = try fields.text("recaptchaToken"), !token.isEmpty || platform == .web {
            return .challengeToken(token)
        }
        if let token = try fields.nonEmptyText("playIntegrityToken") { return .playIntegrityToken(token) }
        return try fields.nonEmptyText("safetyNetToken") == nil ? .absent : .safetyNetToken
    }
}
