import Encodings
import TestServers
import Testing

/// The requests of an app and of an administrator to every operation, and the responses, by the operation's name in
/// Google's discovery document. Responses have as many of their fields as possible.
struct PublishedConversation {
    private static let legacyFolder = "/identitytoolkit/v3/relyingparty/"
    /// The names of version 3.
    private static let legacyNames = [
        "sendVerificationCode": "sendVerificationCode", "signInWithPhoneNumber": "verifyPhoneNumber",
        "signUp": "signupNewUser", "signInWithPassword": "verifyPassword", "createAuthUri": "createAuthUri",
        "signInWithCustomToken": "verifyCustomToken", "lookup": "getAccountInfo", "update": "setAccountInfo",
        "delete": "deleteAccount", "resetPassword": "resetPassword", "sendOobCode": "getOobConfirmationCode",
        "signInWithEmailLink": "emailLinkSignin",
    ]
    private static let owner = [("Authorization", "Bearer owner")]

    private let deployment: HookDeployment
    /// Whether users' requests have the paths of version 3.
    private let isLegacy: Bool
    private(set) var responses: [(method: String, json: JSONValue)] = []

    private var server: RunningServer { deployment.server }

    init(_ deployment: HookDeployment, isLegacy: Bool) throws {
        self.deployment = deployment
        self.isLegacy = isLegacy
        try configure()
        try signInByPhone()
        try signInWithPassword()
        try useEmailCodes()
        try useSecondFactors()
        try administer()
        try readSettings()
    }

    // MARK: Conversations

    private mutating func configure() throws {
        let path = "/v2/projects/demo-dialtone/config"
        let body = """
            {"signIn":{"phoneNumber":{"testPhoneNumbers":{"+16505550199":"246813"}}},
             "blockingFunctions":{"forwardInboundCredentials":{"idToken":true,"accessToken":true,"refreshToken":false}},
             "mfa":{"state":"ENABLED","enabledProviders":["PHONE_SMS"],"providerConfigs":[
               {"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":"5.0"}}]},
             "smsRegionConfig":{"allowlistOnly":{"allowedRegions":["US"]}}}
            """
        let mask = [
            "signIn.phoneNumber.testPhoneNumbers", "blockingFunctions.forwardInboundCredentials", "mfa",
            "smsRegionConfig",
        ]
        let query = "?updateMask=" + mask.joined(separator: ",")
        try request("PATCH", path, query: query, body, as: "PATCH v2/projects/{projectsId}/config", Self.owner)
        try request("GET", path, as: "GET v2/projects/{projectsId}/config", Self.owner)
    }

    private mutating func signInByPhone() throws {
        let number = SecondFactorUser.freshNumber()
        try signIn(number)
        let anonymous = try post("signUp", #"{"returnSecureToken":true}"#)
        let conflict = try signIn(number, idToken: anonymous["idToken"])
        #expect(conflict["temporaryProof"] != nil)
        let custom = try post(
            "signInWithCustomToken",
            #"{"token":"{\"uid\":\"\#(number)\"}","returnSecureToken":true}"#
        )
        let linked = try signIn(SecondFactorUser.freshNumber(), idToken: custom["idToken"])
        try post("lookup", #"{"idToken":"\#(linked["idToken"] ?? "")"}"#)
        try post("delete", #"{"idToken":"\#(linked["idToken"] ?? "")"}"#)
    }

    private mutating func signInWithPassword() throws {
        let email = SecondFactorUser.freshEmail()
        let credentials = #""email":"\#(email)","password":"correct horse","returnSecureToken":true"#
        let user = try post("signUp", #"{\#(credentials),"displayName":"Ada"}"#)
        let idToken = user["idToken"] ?? ""
        try post(
            "update",
            #"{"idToken":"\#(idToken)","password":"correct horse","photoUrl":"https://example.com/a.png"}"#
        )
        let signedIn = try post("signInWithPassword", #"{\#(credentials)}"#)
        try post("createAuthUri", #"{"identifier":"\#(email)","continueUri":"http://localhost"}"#)
        let cookie = #"{"idToken":"\#(signedIn["idToken"] ?? "")","validDuration":"3e2"}"#
        try administer(":createSessionCookie", cookie)
    }

    private mutating func useEmailCodes() throws {
        let email = SecondFactorUser.freshEmail()
        let link = #""requestType":"EMAIL_SIGNIN","email":"\#(email)","continueUrl":"http://localhost""#
        let sent = try administer("/accounts:sendOobCode", #"{\#(link),"returnOobLink":true}"#)
        let signIn = #"{"email":"\#(email)","oobCode":"\#(sent["oobCode"] ?? "")"}"#
        let idToken = try post("signInWithEmailLink", signIn)["idToken"] ?? ""
        let change = #""requestType":"VERIFY_AND_CHANGE_EMAIL","idToken":"\#(idToken)""#
        try post("sendOobCode", #"{\#(change),"newEmail":"\#(SecondFactorUser.freshEmail())"}"#)
        let code = try #require(server.emailCodes().last).text("oobCode")
        try post("resetPassword", #"{"oobCode":"\#(code)"}"#)
        try post("update", #"{"oobCode":"\#(code)"}"#)
    }

    private mutating func useSecondFactors() throws {
        let email = SecondFactorUser.freshEmail()
        let credentials = #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#
        let user = try post("signUp", credentials)
        let claims = #""customAttributes":"{\"role\":\"admin\"}""#
        try administer(
            "/accounts:update",
            #"{"localId":"\#(user["localId"] ?? "")","emailVerified":true,"displayName":"Ada",\#(claims)}"#
        )
        @discardableResult func factors(_ operation: String, _ body: String) throws -> HTTPAnswer {
            try request("POST", "/v2/accounts/" + operation, body, as: "POST v2/accounts/" + operation)
        }
        var idToken = user["idToken"] ?? ""
        let phone =
            #"{"idToken":"\#(idToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(SecondFactorUser.freshNumber())"}}"#
        let session = try factors("mfaEnrollment:start", phone).json.object("phoneSessionInfo").text("sessionInfo")
        let phoneInfo = #"{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}"#
        let withPhone = try factors(
            "mfaEnrollment:finalize",
            #"{"idToken":"\#(idToken)","displayName":"Phone","phoneVerificationInfo":\#(phoneInfo)}"#
        )
        idToken = withPhone["idToken"] ?? ""
        let started = try factors("mfaEnrollment:start", #"{"idToken":"\#(idToken)","totpEnrollmentInfo":{}}"#)
        let info = started.json.object("totpSessionInfo")
        let app = try #require(AuthenticatorApp(info.text("sharedSecretKey")), "\(started.text)")
        let appInfo = #"{"sessionInfo":"\#(info.text("sessionInfo"))","verificationCode":"\#(app.code())"}"#
        let withApp = try factors(
            "mfaEnrollment:finalize",
            #"{"idToken":"\#(idToken)","displayName":"App","totpVerificationInfo":\#(appInfo)}"#
        )
        idToken = withApp["idToken"] ?? ""
        try post("lookup", #"{"idToken":"\#(idToken)"}"#)

        let pending = try post("signInWithPassword", credentials)
        let credential = pending["mfaPendingCredential"] ?? ""
        let ids = pending.json.objects("mfaInfo").map { $0.text("mfaEnrollmentId") }
        let second = try factors(
            "mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(try #require(ids.first))"}"#
        )
        let message = second.json.object("phoneResponseInfo").text("sessionInfo")
        let answer = #"{"sessionInfo":"\#(message)","code":"\#(try server.code(of: message))"}"#
        try factors(
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)","phoneVerificationInfo":\#(answer)}"#
        )
        try factors(
            "mfaEnrollment:withdraw",
            #"{"idToken":"\#(idToken)","mfaEnrollmentId":"\#(try #require(ids.last))"}"#
        )
        let revertCode = try #require(deployment.events.map { $0.text("revert_code") }.first { !$0.isEmpty })
        try post("resetPassword", #"{"oobCode":"\#(revertCode)"}"#)
        try post("update", #"{"oobCode":"\#(revertCode)"}"#)
    }

    private mutating func administer() throws {
        let created = try administer(
            "/accounts",
            #"{"email":"\#(SecondFactorUser.freshEmail())","displayName":"Bea","disabled":true}"#
        )
        let uid = created["localId"] ?? ""
        try administer("/accounts:lookup", #"{"localId":["\#(uid)"]}"#)
        try administer("/accounts:query", "{}")
        try administer("/accounts:query", #"{"returnUserInfo":false}"#)
        let enabled = try administer("/accounts", "{}")["localId"] ?? ""
        let path = "/v1/projects/demo-dialtone/accounts:batchGet"
        let name = "v1/projects/{projectsId}/accounts:batchGet"
        try request("GET", path, query: "?maxResults=2", as: "GET " + name, Self.owner)
        let invalid = #"{"users":[{"localId":"x","email":"none"}]}"#
        try administer("/accounts:batchCreate", invalid)
        try administer("/accounts:batchDelete", #"{"localIds":["\#(enabled)"]}"#)
        try administer("/accounts:delete", #"{"localId":"\#(uid)"}"#)
        guard isLegacy else { return }
        for (name, body) in [("downloadAccount", #"{"maxResults":2}"#), ("uploadAccount", invalid)] {
            try record(
                "POST " + name,
                try HTTPClient(port: server.port).request(
                    "POST",
                    Self.legacyFolder + name,
                    headers: [("Content-Type", "application/json")] + Self.owner,
                    body: Array(body.utf8)
                )
            )
        }
    }

    private mutating func readSettings() throws {
        for name in ["recaptchaConfig", "passwordPolicy"] { try request("GET", "/v2/\(name)", as: "GET v2/\(name)") }
        let names = [
            "projects": "getProjectConfig", "recaptchaParams": "getRecaptchaParam", "publicKeys": "publicKeys",
        ]
        for (name, legacyName) in names {
            if isLegacy {
                try request("GET", Self.legacyFolder + legacyName, as: "GET " + legacyName)
            } else {
                try request("GET", "/v1/\(name)", as: "GET v1/\(name)")
            }
        }
    }

    // MARK: Requests

    @discardableResult private mutating func signIn(_ number: String, idToken: String? = nil) throws -> HTTPAnswer {
        let session = try post("sendVerificationCode", #"{"phoneNumber":"\#(number)"}"#)["sessionInfo"] ?? ""
        let account = idToken.map { #","idToken":"\#($0)""# } ?? ""
        let code = try server.code(of: session)
        return try post("signInWithPhoneNumber", #"{"sessionInfo":"\#(session)","code":"\#(code)"\#(account)}"#)
    }

    /// Posts to a user's operation of version 1 or 3.
    @discardableResult private mutating func post(_ operation: String, _ body: String) throws -> HTTPAnswer {
        if isLegacy {
            let name = try #require(Self.legacyNames[operation])
            return try request("POST", Self.legacyFolder + name, body, as: "POST " + name)
        }
        return try request("POST", "/v1/accounts:\(operation)", body, as: "POST v1/accounts:\(operation)")
    }

    @discardableResult private mutating func administer(_ operation: String, _ body: String) throws -> HTTPAnswer {
        let (path, name) = ("/v1/projects/demo-dialtone" + operation, "POST v1/projects/{projectsId}" + operation)
        return try request("POST", path, body, as: name, Self.owner)
    }

    @discardableResult private mutating func request(
        _ verb: String,
        _ path: String,
        query: String = "",
        _ body: String = "",
        as method: String,
        _ headers: [(String, String)] = []
    ) throws -> HTTPAnswer {
        let separator = query.isEmpty ? "?" : "&"
        let response = try HTTPClient(port: server.port).request(
            verb,
            "\(path)\(query)\(separator)key=\(RunningServer.apiKey)",
            headers: [("Content-Type", "application/json")] + headers,
            body: Array(body.utf8)
        )
        return try record(method, response)
    }

    @discardableResult private mutating func record(_ method: String, _ response: HTTPAnswer) throws -> HTTPAnswer {
        try #require(response.status == 200, "\(method): \(response.text)")
        responses.append((method, .object(response.json)))
        return response
    }
}
