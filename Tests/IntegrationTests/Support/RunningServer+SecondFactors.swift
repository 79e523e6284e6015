import Encodings
import Processes
import TestServers
import Testing

/// The requests about second factors, in short form.
extension RunningServer {
    /// Posts to an operation about second factors.
    func secondFactors(
        _ operation: String,
        _ json: String,
        apiKey: String = RunningServer.apiKey,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try post("/v2/accounts/\(operation)", json, apiKey: apiKey, from: address)
    }

    /// Requests a message to a phone that is a second factor.
    func startSecondFactor(_ credential: String, _ id: String) throws -> HTTPAnswer {
        try secondFactors(
            "mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":{"recaptchaToken":"t"}}"#
        )
    }

    /// Requests a message to a phone that is a second factor, and returns the `sessionInfo`.
    func openSecondFactor(_ credential: String, _ id: String) throws -> String {
        let started = try startSecondFactor(credential, id)
        let session = started.json.object("phoneResponseInfo").text("sessionInfo")
        try #require(!session.isEmpty, "\(started.text)")
        return session
    }

    /// Signs in with a message's code.
    func finishPhone(_ credential: String, _ session: String, _ code: String) throws -> HTTPAnswer {
        let info = #"{"sessionInfo":"\#(session)","code":"\#(code)"}"#
        return try secondFactors(
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)","phoneVerificationInfo":\#(info)}"#
        )
    }

    /// Signs in with an authenticator app's code or a recovery code.
    func finishApp(_ credential: String, _ id: String, _ code: String) throws -> HTTPAnswer {
        try secondFactors(
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(id)","totpVerificationInfo":{"verificationCode":"\#(code)"}}"#
        )
    }

    func withdraw(_ id: String, _ idToken: String) throws -> HTTPAnswer {
        try secondFactors("mfaEnrollment:withdraw", #"{"idToken":"\#(idToken)","mfaEnrollmentId":"\#(id)"}"#)
    }

    /// Posts to an administrative operation on accounts.
    func administer(_ operation: String, _ json: String, bearer: String = "Bearer owner") throws -> HTTPAnswer {
        try post(
            "/v1/projects/demo-dialtone/accounts:\(operation)",
            json,
            headers: [("Authorization", bearer)]
        )
    }

    /// Changes the project's `mfa`.
    func configureSecondFactors(_ json: String) throws {
        let changed = try HTTPClient(port: port).request(
            "PATCH",
            "/v2/projects/demo-dialtone/config?updateMask=mfa",
            headers: [("Content-Type", "application/json"), ("Authorization", "Bearer owner")],
            body: Array(#"{"mfa":\#(json)}"#.utf8)
        )
        try #require(changed.status == 200, "\(changed.text)")
    }

    /// Creates an admin token.
    func adminToken(
        _ name: String = "test",
        access: String = "write",
        project: String = "demo-dialtone"
    ) throws -> String {
        let made = try dialtone(["admin-tokens", "create", name, "--access", access, "--project", project])
        try #require(made.isFine, "\(made.errors)")
        return String(made.output.dropLast())
    }

    /// Returns the `Authorization` header of an administrator of a production server.
    func adminBearer(access: String = "write") throws -> String { "Bearer \(try adminToken(access: access))" }
}

extension JSONObject {
    /// Returns the object in a member, or an empty object if it is not an object.
    func object(_ name: String) -> JSONObject {
        guard case .object(let object) = self[name] else { return JSONObject() }
        return object
    }

    /// Returns the objects in a list, or an empty array if the member is not a list.
    func objects(_ name: String) -> [JSONObject] {
        guard case .array(let elements) = self[name] else { return [] }
        return elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
