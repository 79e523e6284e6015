import Encodings
import TestServers
import Testing

/// Typed clients, such as Google's own for Go, lose a whole response if one field has another type than published.
@Suite(.timeLimit(.minutes(30))) struct PublishedSchemaTests {
    /// Fields that are not published, with the reason.
    private static let knownDifferences = [
        // Extensions, which typed clients ignore.
        "V1SendVerificationCodeResponse.resendAfter is not published": "when another message can be requested",
        "V2StartMfaPhoneResponseInfo.resendAfter is not published": "when another message can be requested",
        "IdentitytoolkitRelyingpartySendVerificationCodeResponse.resendAfter is not published":
            "when another message can be requested",
        // Google's document of version 3 is of 2018. The iOS SDK reads these fields on the paths of version 3.
        "UserInfo.mfaInfo is not published": "version 1 has it",
        "UserInfo.lastRefreshAt is not published": "version 1 has it",
        "VerifyPasswordResponse.mfaInfo is not published": "version 1 has it",
        "VerifyPasswordResponse.mfaPendingCredential is not published": "version 1 has it",
        "ResetPasswordResponse.mfaInfo is not published": "version 1 has it",
        "SetAccountInfoResponse.providerUserInfo.email is not published": "version 1 has it",
        "SetAccountInfoResponse.providerUserInfo.rawId is not published": "version 1 has it",
        "SetAccountInfoResponse.providerUserInfo.phoneNumber is not published": "version 1 has it",
    ]

    /// Parts of the names of operations that Dialtone does not have.
    private static let notOffered = [
        // Identity providers and tenants.
        "Idp", "Saml", "tenants", "GameCenter", "verifyAssertion", "revokeToken", "identityPlatform",
        // Names that no SDK uses.
        "queryAccounts", "sessionCookiePublicKeys", "setProjectConfig", "signOutUser",
    ]

    /// The response of the token endpoint, from Google's documentation of the REST API. The package has no discovery
    /// document of `securetoken`.
    private static let token = #"""
        {"type":"object","properties":{
          "access_token":{"type":"string"},"expires_in":{"type":"string","format":"int64"},
          "token_type":{"type":"string"},"refresh_token":{"type":"string"},"id_token":{"type":"string"},
          "user_id":{"type":"string"},"project_id":{"type":"string"}}}
        """#

    @Test("every field of every response has the published name, type and words", arguments: [false, true])
    func responses(isLegacy: Bool) async throws {
        let deployment = try await HookDeployment.start(events: ["SECOND_FACTOR_ENROLLMENT"])
        let conversation = try PublishedConversation(deployment, isLegacy: isLegacy)
        let documents = try (isLegacy ? ["v3"] : ["v1", "v2"]).map(PublishedSchema.init)
        var differences: Set<String> = []
        for document in documents {
            for method in document.methods {
                let responses = conversation.responses.filter { $0.method == method.name }.map(\.json)
                guard let response = method.response else { continue }
                if responses.isEmpty { try expectNotOffered(method.name, deployment.server, isLegacy: isLegacy) }
                for json in responses { differences.formUnion(document.differences(json, from: response)) }
            }
        }
        differences.subtract(Self.knownDifferences.keys)
        #expect(differences.isEmpty, "\(differences.sorted())")
    }

    private func expectNotOffered(_ name: String, _ server: RunningServer, isLegacy: Bool) throws {
        // `IosClient`: see `verifyIosClient()`.
        if name.hasSuffix(":verifyIosClient") { return }
        try #require(Self.notOffered.contains { name.contains($0) }, "\(name) was not tested")
        let parts = name.split(separator: " ").map(String.init)
        let path = parts[1].replacing("{projectsId}", with: "demo-dialtone").filter { $0 != "{" && $0 != "}" }
        let response = try HTTPClient(port: server.port).request(
            parts[0],
            (isLegacy ? "/identitytoolkit/v3/relyingparty/" : "/") + path + "?key=" + RunningServer.apiKey,
            headers: [("Authorization", "Bearer owner")],
            body: Array("{}".utf8)
        )
        let isRefused = response.status == 404 || response.errorCode == "OPERATION_NOT_ALLOWED"
        #expect(isRefused, "\(name): \(response.text)")
    }

    @Test("the token endpoint's response has the published names and types")
    func tokens() throws {
        let server = try RunningServer(workers: 1)
        let signedIn = try server.signInFresh(SecondFactorUser.freshNumber())
        let refreshed = try server.refresh(try #require(signedIn["refreshToken"]))
        guard case .object(let type) = try JSONValue.parse(Array(Self.token.utf8)) else { return }
        let differences = try PublishedSchema("v1").differences(.object(refreshed.json), from: type)
        #expect(refreshed.status == 200 && differences.isEmpty, "\(differences)")
        #expect(refreshed.json.members.count == type.object("properties").members.count)
    }

    @Test("the response to a device token has the published names and types")
    func verifyIosClient() async throws {
        let response = try await PushDeployment.start().verifyClient(PushDeployment.device(1))
        let document = try PublishedSchema("v1")
        let method = try #require(document.methods.first { $0.name == "POST v1/accounts:verifyIosClient" })
        let differences = document.differences(.object(response.json), from: try #require(method.response))
        #expect(response.status == 200 && differences.isEmpty, "\(response.text) \(differences)")
    }
}
