import Encodings
import GatewayStandIn
import IntegrityStandIn
import PhoneAuth
import Processes
import TestServers
import Testing

@testable import dialtone

/// Android apps that prove themselves by Play Integrity, through nginx, with tokens of the tests' own keys.
@Suite(.timeLimit(.minutes(10))) struct PlayIntegritySendTests {
    private static let refused = "ALTERNATE_CLIENT_IDENTIFIER_REQUIRED"

    @Test("with a genuine token, a code is sent and signs in, and the token is refused afterwards")
    func localKeys() throws {
        let deployment = try IntegrityDeployment()
        let token = try deployment.token(for: "+16505550160")
        let sent = try deployment.send("+16505550160", token)
        let session = try #require(sent["sessionInfo"], "\(sent.text)")
        let signedIn = try deployment.server.signIn(session, try deployment.code(sentTo: "+16505550160"))
        #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true))
        let again = try deployment.send("+16505550160", token)
        #expect(again.errorMessage == Self.refused)
        try expectEnvelope(again, status: "INVALID_ARGUMENT")
        let reference = try #require(sent.headers["dialtone-reference"])
        #expect(try deployment.server.dialtone("explain", reference).output.contains("app proof  Play Integrity"))
        let log = deployment.server.log
        #expect(log.contains("the Play Integrity token was used before"))
        for part in token.split(separator: ".").dropFirst() { #expect(!log.contains(part)) }
    }

    @Test("of two concurrent requests with one token, exactly one sends a code")
    func race() throws {
        let deployment = try IntegrityDeployment(workers: 2)
        let token = try deployment.token(for: "+16505550161")
        let answers = try inParallel(2) { _ in try deployment.send("+16505550161", token) }
        #expect(answers.filter { $0["sessionInfo"] != nil }.count == 1)
        #expect(answers.filter { $0.errorMessage == Self.refused }.count == 1)
    }

    @Test("a token with any single fault is refused with the error that opens the challenge page")
    func refusals() throws {
        let deployment = try IntegrityDeployment()
        let number = "+16505550162"
        func changed(_ path: [String], _ value: JSONValue?, secondsAgo: Int64 = 1) throws -> String {
            var payload = deployment.payload(for: number, secondsAgo: secondsAgo)
            payload[path: path] = value
            return try deployment.tokens.token(payload)
        }
        let genuine = try deployment.token(for: number)
        let tokens: [(String, reason: String)] = [
            (try deployment.token(for: "+16505550163"), "for another number"),
            (try changed([], nil, secondsAgo: 301), "too old"), (try changed([], nil, secondsAgo: -120), "too old"),
            (try changed(["appIntegrity", "packageName"], .string("com.example.b")), "for another package"),
            (try changed(["appIntegrity", "certificateSha256Digest"], .array([])), "signing certificate"),
            (
                try changed(["appIntegrity", "appRecognitionVerdict"], .string("UNRECOGNIZED_VERSION")),
                "lacks a verdict"
            ), (try changed(["deviceIntegrity"], nil), "lacks a verdict"),
            (String(genuine.dropLast(2)) + "AA", "malformed, altered"),
            (try IntegrityTokens().token(deployment.payload(for: number)), "malformed, altered"),
            (
                try deployment.tokens.token(deployment.payload(for: number).text, signedHeader: #"{"alg":"none"}"#),
                "malformed, altered"
            ), ("t", "malformed, altered"), (String(repeating: "A", count: 9000), "malformed, altered"),
        ]
        for (index, (token, reason)) in tokens.enumerated() {
            let answer = try deployment.send(number, token, from: "192.0.2.\(index + 1)")
            #expect(answer.errorMessage == Self.refused, "\(reason)")
            #expect(eventually { deployment.server.log.contains(reason) }, "\(reason)")
        }
        #expect(deployment.server.keysOfSends == "")
        #expect(try deployment.send(number, genuine)["sessionInfo"] != nil)
    }

    @Test("a token proves no other app, and no app without Play Integrity settings")
    func otherApps() throws {
        let other = "PROJECT_DEMO_DIALTONE_APP_PLAIN_PACKAGE_NAME"
        let deployment = try IntegrityDeployment(
            settings: ["PROJECT_DEMO_DIALTONE_APPS": "android,plain", other: "com.example.plain"]
        )
        let token = try deployment.token(for: "+16505550164")
        let plain = try deployment.send("+16505550164", token, packageName: "com.example.plain")
        #expect(plain.errorMessage == Self.refused)
        let unknown = try deployment.send("+16505550164", token, packageName: "com.example.unknown")
        #expect(unknown.errorMessage == "INVALID_APP_CREDENTIAL")
        #expect(try deployment.send("+16505550164", token)["sessionInfo"] != nil)
    }

    @Test("the SDK gets the app's Google Cloud project number, and other clients do not")
    func producerProject() throws {
        let server = try IntegrityDeployment().server
        for path in ["/v1/recaptchaParams", IntegrityDeployment.path + "getRecaptchaParam"] {
            let path = "\(path)?key=\(RunningServer.apiKey)"
            let android = try server.get(path, headers: IntegrityDeployment.headers())
            #expect(android["producerProjectNumber"] == "123456789012")
            #expect(android["kind"] == "identitytoolkit#GetRecaptchaParamResponse")
            let other = try server.get(path, headers: IntegrityDeployment.headers("com.example.other"))
            #expect(other.status == 200 && other.json["producerProjectNumber"] == nil)
            #expect(try server.get(path).json["producerProjectNumber"] == nil)
        }
    }

    @Test("a second factor is enrolled and used with tokens, bound to the number or to its masked form")
    func secondFactors() throws {
        let deployment = try IntegrityDeployment(
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "optional",
            ]
        )
        let server = deployment.server
        var ada = try SecondFactorUser(server, bearer: try server.adminBearer())
        let number = SecondFactorUser.freshNumber()
        func post(_ operation: String, _ json: String) throws -> HTTPAnswer {
            try server.post("/v2/accounts/\(operation)", json, headers: IntegrityDeployment.headers())
        }
        func enroll(_ token: String) throws -> HTTPAnswer {
            let info = #"{"phoneNumber":"\#(number)","playIntegrityToken":"\#(token)"}"#
            return try post("mfaEnrollment:start", #"{"idToken":"\#(ada.idToken)","phoneEnrollmentInfo":\#(info)}"#)
        }
        #expect(try enroll(deployment.token(for: "+16505550165")).errorMessage == Self.refused)
        let session = try enroll(deployment.token(for: number)).json.object("phoneSessionInfo").text("sessionInfo")
        let code = try deployment.code(sentTo: number)
        let id = try ada.take(
            try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#)
        )

        let pending = try ada.pendingCredential()
        func start(_ token: String, _ text: String) throws -> HTTPAnswer {
            let info = #"{"phoneNumber":"\#(text)","playIntegrityToken":"\#(token)"}"#
            return try post(
                "mfaSignIn:start",
                #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":\#(info)}"#
            )
        }
        // The client chooses the text in the request, so a token bound to this text alone proves nothing.
        #expect(try start(deployment.token(for: "+16505550165"), "+16505550165").errorMessage == Self.refused)
        let masked = "+*******" + number.suffix(4)
        let started = try start(deployment.token(for: masked), masked)
        let second = started.json.object("phoneResponseInfo").text("sessionInfo")
        #expect(!second.isEmpty, "\(started.text)")
        #expect(try server.finishPhone(pending, second, try deployment.code(sentTo: number)).status == 200)
    }

    @Test("under SMS pumping, a token leads to the challenge page, whose hard challenge then allows the message")
    func steppedUp() throws {
        let deployment = try IntegrityDeployment(
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "optional", "SMS_BREAKER": "on",
                "SMS_UNVERIFIED_ALLOWANCE": "2",
            ]
        )
        let server = deployment.server
        var ada = try SecondFactorUser(server, bearer: try server.adminBearer())
        func start(_ operation: String, _ fields: String, _ info: String, bound subject: String) throws -> HTTPAnswer {
            let token = try deployment.token(for: subject)
            return try server.post(
                "/v2/accounts/\(operation):start",
                #"{\#(fields),"\#(info)":{"phoneNumber":"\#(subject)","playIntegrityToken":"\#(token)"}}"#,
                // A client that has not proven a number.
                from: "192.0.2.\(SecondFactorUser.freshNumber().suffix(2))",
                headers: IntegrityDeployment.headers()
            )
        }
        func enroll(_ number: String) throws -> HTTPAnswer {
            try start("mfaEnrollment", #""idToken":"\#(ada.idToken)""#, "phoneEnrollmentInfo", bound: number)
        }
        let number = SecondFactorUser.freshNumber()
        let session = try enroll(number).json.object("phoneSessionInfo").text("sessionInfo")
        let code = try deployment.code(sentTo: number)
        let id = try ada.take(
            try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#)
        )

        // The number's range has the credit of the code that was entered.
        var answers: [HTTPAnswer] = []
        repeat {
            let number = "+165055501\(70 + answers.count)"
            answers.append(try deployment.send(number, deployment.token(for: number)))
        } while answers.last?.status == 200 && answers.count < 20
        let refused = try #require(answers.last)
        #expect(refused.errorMessage == Self.refused)
        try expectEnvelope(refused, status: "INVALID_ARGUMENT")
        let reference = try #require(refused.headers["dialtone-reference"])
        #expect(try server.dialtone("explain", reference).output.contains("unverified messages to the number's"))
        #expect(try enroll(SecondFactorUser.freshNumber()).errorMessage == Self.refused)
        let pending = #""mfaPendingCredential":"\#(try ada.pendingCredential())","mfaEnrollmentId":"\#(id)""#
        let masked = "+*******" + number.suffix(4)
        #expect(try start("mfaSignIn", pending, "phoneSignInInfo", bound: masked).errorMessage == Self.refused)

        let token = try ChallengedAndroidApp(packageName: IntegrityTokens.packageName).token(from: server)
        let sent = try server.post(
            IntegrityDeployment.path + "sendVerificationCode",
            #"{"phoneNumber":"+16505550198","recaptchaToken":"\#(token)","clientType":"CLIENT_TYPE_ANDROID"}"#,
            headers: IntegrityDeployment.headers()
        )
        #expect(sent["sessionInfo"] != nil, "\(sent.text)")
    }

    // MARK: Google's server

    private func account(_ issuer: GatewayServer) throws -> String {
        try TestServiceAccount.file(tokenURL: issuer.url + "/token")
    }

    @Test("with a service account, Google's server decodes the tokens; without it, apps get the challenge page")
    func google() async throws {
        let google = try await GatewayServer.start(isPlain: true)
        google.queue(.answer(200, #"{"access_token":"ya29.secret","expires_in":3599,"token_type":"Bearer"}"#))
        let setting = "PROJECT_DEMO_DIALTONE_APP_ANDROID_PLAY_INTEGRITY_URL"
        let deployment = try IntegrityDeployment(serviceAccount: try account(google), settings: [setting: google.url])
        let number = "+16505550166"
        func decoded(_ payload: JSONObject) -> Reply { .answer(200, #"{"tokenPayloadExternal":\#(payload.text)}"#) }
        google.queue(decoded(deployment.payload(for: number)))
        let token = try deployment.token(for: number)
        #expect(try deployment.send(number, token)["sessionInfo"] != nil)
        #expect(google.requests.map(\.path) == ["/token", "/v1/com.example.app:decodeIntegrityToken"])
        #expect(google.requests.last?.object.text("integrityToken") == token)

        google.always(decoded(deployment.payload(for: number)))
        #expect(try deployment.send(number, token).errorMessage == Self.refused, "the token was used")
        google.always(decoded(deployment.payload(for: "+16505550167")))
        #expect(try deployment.send(number, try deployment.token(for: number)).errorMessage == Self.refused)
        let count = google.requests.count
        #expect(try deployment.send(number, "not-a-token").errorMessage == Self.refused)
        #expect(google.requests.count == count, "a malformed token is not sent to Google")
        for reply in [Reply.answer(500, "{}"), .answer(400, "{}"), .answer(403, "{}"), .answer(200, "<html>")] {
            google.queue(reply)
            #expect(try deployment.send(number, try deployment.token(for: number)).errorMessage == Self.refused)
        }
        google.always(.silence)
        #expect(try deployment.send(number, try deployment.token(for: number)).errorMessage == Self.refused)
        let log = deployment.server.log
        for reason in ["did not decode", "rejects the service account", "malformed, altered", "for another number"] {
            #expect(log.contains(reason))
        }
        #expect(!log.contains("ya29.secret") && !log.contains(token.suffix(20)))
    }
}

extension IntegrityDeployment {
    /// Returns the code in the last message to a number.
    fileprivate func code(sentTo number: String) throws -> String {
        let settings = try Settings(SettingsSource(file: server.configuration, environment: [:]))
        let authenticator = settings.authenticator(try settings.loadKeys())
        let project = try settings.project("demo-dialtone")
        let message = try authenticator.operation(in: project).inbox().last { $0.phoneNumber == number }
        return try #require(message).code.digits
    }
}
