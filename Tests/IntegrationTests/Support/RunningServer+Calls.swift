import Encodings
import TestServers

/// The requests of SDKs, in short form.
extension RunningServer {
    /// Posts JSON to a path with the API key, from any address.
    func post(
        _ path: String,
        _ json: String,
        apiKey: String = RunningServer.apiKey,
        from address: String = "127.0.0.1",
        headers: [(String, String)] = []
    ) throws -> HTTPAnswer {
        let isLoopback = address.hasPrefix("127.")
        return try HTTPClient(port: port, sourceAddress: isLoopback ? address : "127.0.0.1").request(
            "POST",
            "\(path)?key=\(apiKey)",
            headers: [("Content-Type", "application/json")] + Self.clientHeaders + headers
                + (isLoopback ? [] : [(Self.clientAddressHeader, address)]),
            body: Array(json.utf8)
        )
    }

    func get(_ target: String, headers: [(String, String)] = []) throws -> HTTPAnswer {
        try HTTPClient(port: port).request("GET", target, headers: headers)
    }

    /// Requests a code as a web app does.
    func sendVerificationCode(
        _ number: String,
        apiKey: String = RunningServer.apiKey,
        from address: String = "127.0.0.1"
    ) throws -> HTTPAnswer {
        try post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"\#(number)","recaptchaToken":"t"}"#,
            apiKey: apiKey,
            from: address
        )
    }

    /// Opens a session and returns its `sessionInfo`.
    func openVerification(_ number: String, apiKey: String = RunningServer.apiKey) throws -> String {
        let answer = try sendVerificationCode(number, apiKey: apiKey)
        guard let session = answer["sessionInfo"] else {
            throw ServerFailure(description: "\(answer.errorMessage ?? "")")
        }
        return session
    }

    /// Returns a session cookie for an ID token, valid for five minutes, in development mode.
    func sessionCookie(_ idToken: String) throws -> String {
        let answer = try post(
            "/v1/projects/demo-dialtone:createSessionCookie",
            #"{"idToken":"\#(idToken)","validDuration":"300"}"#,
            headers: [("Authorization", "Bearer owner")]
        )
        guard let cookie = answer["sessionCookie"] else {
            throw ServerFailure(description: "\(answer.errorMessage ?? "")")
        }
        return cookie
    }

    func signIn(
        _ session: String,
        _ code: String,
        idToken: String? = nil,
        apiKey: String = RunningServer.apiKey,
        headers: [(String, String)] = []
    ) throws -> HTTPAnswer {
        let account = idToken.map { #","idToken":"\#($0)""# } ?? ""
        return try post(
            "/v1/accounts:signInWithPhoneNumber",
            #"{"sessionInfo":"\#(session)","code":"\#(code)"\#(account)}"#,
            apiKey: apiKey,
            headers: headers
        )
    }

    /// Requests a code, reads it as clients of the reference emulator do, and signs in.
    func signInFresh(_ number: String) throws -> HTTPAnswer {
        let session = try openVerification(number)
        return try signIn(session, try code(of: session))
    }

    func refresh(_ token: String, headers: [(String, String)] = []) throws -> HTTPAnswer {
        try HTTPClient(port: port).request(
            "POST",
            "/v1/token?key=\(RunningServer.apiKey)",
            headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers,
            body: Array("grant_type=refresh_token&refresh_token=\(token)".utf8)
        )
    }

    func lookUp(_ idToken: String) throws -> HTTPAnswer {
        try post("/v1/accounts:lookup", #"{"idToken":"\#(idToken)"}"#)
    }

    // MARK: Development endpoints

    struct PendingCode {
        let number: String
        let session: String
        let code: String
    }

    /// Returns all open sessions, oldest first.
    func pendingCodes() throws -> [PendingCode] {
        try objects("verificationCodes", "/emulator/v1/projects/demo-dialtone/verificationCodes").map { object in
            PendingCode(
                number: object.text("phoneNumber"),
                session: object.text("sessionInfo"),
                code: object.text("code")
            )
        }
    }

    /// Returns the code of a session.
    func code(of session: String) throws -> String {
        guard let pending = try pendingCodes().first(where: { $0.session == session }) else {
            throw ServerFailure(description: "no such session is open")
        }
        return pending.code
    }

    /// Returns the texts of the messages to a number, oldest first.
    func messages(to number: String) throws -> [String] {
        try objects("messages", "/dialtone/v1/projects/demo-dialtone/inbox")
            .filter { $0.text("phoneNumber") == number }
            .map { $0.text("text") }
    }

    func objects(_ name: String, _ path: String) throws -> [JSONObject] {
        guard case .array(let elements) = try get(path).json[name] else {
            throw ServerFailure(description: "\(path) gave no \(name)")
        }
        return elements.compactMap { element in
            guard case .object(let object) = element else { return nil }
            return object
        }
    }
}

extension JSONObject {
    /// Returns the text of a member, or an empty text without the member.
    func text(_ name: String) -> String {
        guard case .string(let text) = self[name] else { return "" }
        return text
    }
}

/// Returns a code other than `code`.
func wrongCode(besides code: String, _ number: Int = 0) -> String {
    let other = String((Int(code) ?? 0) + 1 + number)
    return String(("000000" + other).suffix(6))
}
