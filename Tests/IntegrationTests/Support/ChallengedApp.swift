import Encodings
import TestBrowser
import TestServers

/// An iOS app that no push reaches: opens the challenge page, and reads the link at its end.
struct ChallengedApp {
    /// The kind of URL scheme that the app has registered.
    enum Scheme: CaseIterable {
        case reversedClientID, encodedAppID

        var name: String {
            switch self {
            case .reversedClientID: "com.googleusercontent.apps.123-abc"
            case .encodedAppID: "app-1-123-ios-abc"
            }
        }

        var parameter: (String, String) {
            switch self {
            case .reversedClientID: ("clientId", "123-abc.apps.googleusercontent.com")
            case .encodedAppID: ("appId", "1:123:ios:abc")
            }
        }
    }

    var scheme = Scheme.reversedClientID
    var bundleID = PushDeployment.bundleID
    var eventID = "ABCDEFGHIJ"
    var apiKey = RunningServer.apiKey

    /// The query with which the SDK opens the page.
    var query: String {
        let (name, value) = scheme.parameter
        return "apiKey=\(apiKey)&authType=verifyApp&ibi=\(bundleID)&\(name)=\(value)&v=iOS%2FFirebaseSDK%2F11.0.0"
            + "&eventId=\(eventID)&hl=en"
    }

    /// Returns what the SDK reads in a link: the fields of the inner URL, which must name this app's event.
    func answer(in link: String) throws -> FormFields {
        let prefix = "\(scheme.name)://firebaseauth/link?"
        guard link.hasPrefix(prefix), let outer = FormFields(link.utf8.dropFirst(prefix.utf8.count)),
            let inner = outer["deep_link_id"]
        else { throw ServerFailure(description: "no link to the app: \(link)") }
        let parts = inner.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0].hasSuffix("/__/auth/callback"), let fields = FormFields(parts[1].utf8),
            fields["authType"] == "verifyApp", fields["eventId"] == eventID
        else { throw ServerFailure(description: "no answer to this event: \(inner)") }
        return fields
    }

    /// Solves the challenge with ALTCHA's own solver instead of the page, and returns the token.
    func token(from server: RunningServer) throws -> String {
        let answer = try server.submit(try server.solvedChallenge(query), query)
        guard let link = answer["location"], let token = try self.answer(in: link)["recaptchaToken"] else {
            throw ServerFailure(description: "no token: \(answer.errorMessage ?? "")")
        }
        return token
    }
}

extension RunningServer {
    /// Requests a challenge, solves it with the ALTCHA package from PyPI, and returns the solution.
    func solvedChallenge(_ query: String) throws -> String {
        let challenge = try HTTPClient(port: port).request("POST", "/__/auth/challenge?\(query)")
        guard challenge.status == 200 else {
            throw ServerFailure(description: "no challenge: \(challenge.errorMessage ?? "")")
        }
        let output = try Python.run(["-c", Self.altchaSolver, String(decoding: challenge.body, as: UTF8.self)])
        return String(output.prefix { $0 != "\n" })
    }

    /// Posts a solution.
    func submit(_ solution: String, _ query: String) throws -> HTTPAnswer {
        try submit(JSONWriter.object { $0.member("solution", solution) }, query)
    }

    /// Posts the response of a provider's widget.
    func submit(providerResponse response: String, _ query: String) throws -> HTTPAnswer {
        try submit(JSONWriter.object { $0.member("response", response) }, query)
    }

    private func submit(_ body: [UInt8], _ query: String) throws -> HTTPAnswer {
        try HTTPClient(port: port).request(
            "POST",
            "/__/auth/verify?\(query)",
            headers: [("Content-Type", "application/json")],
            body: body
        )
    }

    private static let altchaSolver = """
        import altcha, json, sys
        text = json.loads(sys.argv[1])
        solution = altcha.solve_challenge_v1(text["challenge"], text["salt"], text["algorithm"], text["maxnumber"])
        print(altcha.PayloadV1(text["algorithm"], text["challenge"], solution.number, text["salt"], text["signature"])
              .to_base64())
        """
}
