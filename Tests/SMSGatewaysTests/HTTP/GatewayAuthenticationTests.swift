import Cryptography
import Encodings
import Testing

@testable import SMSGateways

/// Signatures of requests, compared with the providers' published examples.
@Suite struct GatewayAuthenticationTests {
    private static let awsSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    private static func signed(
        _ request: GatewayRequest,
        _ authentication: GatewayAuthentication,
        _ account: String,
        _ secret: String,
        at time: String
    ) throws -> [String: String] {
        var request = request
        authentication.sign(
            &request,
            Example.account(account, secret: try GatewaySecret(secret)),
            at: try #require(Instant(utc: time))
        )
        return Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    }

    // AWS: "Signature Version 4 test suite": `get-vanilla`, `get-vanilla-query-order-key-case` and
    // `post-x-www-form-urlencoded`.
    static let awsExamples: [(String, String?, String, names: String, signature: String)] = [
        ("/", nil, "", "host;x-amz-date", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        (
            "/?Param2=value2&Param1=value1", nil, "", "host;x-amz-date",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        (
            "", FormFields.mediaType, "Param1=value1", "content-type;host;x-amz-date",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        ),
    ]

    @Test("requests to AWS have the signatures of its test suite", arguments: awsExamples)
    func aws(path: String, contentType: String?, body: String, names: String, signature: String) throws {
        let headers = try Self.signed(
            GatewayRequest(
                url: "https://example.amazonaws.com\(path)",
                contentType: contentType,
                body: Array(body.utf8),
                headers: [("Unsigned", "value")]
            ),
            .aws(region: "us-east-1", service: "service"),
            "AKIDEXAMPLE",
            Self.awsSecret,
            at: "2015-08-30T12:36:00Z"
        )
        #expect(headers["X-Amz-Date"] == "20150830T123600Z")
        let scope = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
        let expected = "AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=\(names), Signature=\(signature)"
        #expect(headers["Authorization"] == expected)
    }

    @Test("the region is part of the host if the authentication names none")
    func region() throws {
        let headers = try Self.signed(
            GatewayRequest(url: "https://sns.eu-west-1.amazonaws.com/"),
            .aws(region: nil, service: "sns"),
            "AKIDEXAMPLE",
            Self.awsSecret,
            at: "2015-08-30T12:36:00Z"
        )
        #expect(headers["Authorization"]?.contains("/20150830/eu-west-1/sns/aws4_request,") == true)
    }

    @Test("a request to Alibaba Cloud has the signature of its documentation")
    func alibaba() throws {
        let headers = try Self.signed(
            GatewayRequest(
                url: "https://ecs.cn-shanghai.aliyuncs.com/?RegionId=cn-shanghai"
                    + "&ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
                contentType: FormFields.mediaType,
                headers: [
                    ("x-acs-action", "RunInstances"), ("x-acs-version", "2014-05-26"),
                    ("x-acs-signature-nonce", "3156853299f313e23d1673dc12e1703d"),
                ]
            ),
            .alibaba,
            "YourAccessKeyId",
            "YourAccessKeySecret",
            at: "2023-10-26T10:22:32Z"
        )
        #expect(
            headers["Authorization"] == "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;"
                + "x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,"
                + "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
        )
    }

    @Test("a request to Azure signs the method, the path, the date, the host and the body")
    func azure() throws {
        // Python's hmac: HMAC-SHA256 under the bytes 0 to 31 of `POST\n/sms?api-version=2021-03-07\nMon, …;…;…`.
        let headers = try Self.signed(
            GatewayRequest(
                url: "https://contoso.communication.azure.com/sms?api-version=2021-03-07",
                contentType: "application/json",
                body: Array(#"{"message":"hi"}"#.utf8)
            ),
            .azure,
            "",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            at: Example.now.utc
        )
        #expect(headers["x-ms-date"] == "Mon, 21 Sep 2026 14:13:20 GMT")
        #expect(headers["x-ms-content-sha256"] == "rb2YK4/gu9hHfwkmICjTrCZAAdw248dXmQXnLAtxh1U=")
        #expect(
            headers["Authorization"] == "HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256"
                + "&Signature=hu6ROOiW0qb6kkxe/lr4EmJrXn2gvuk7WWRAt3C90Zc="
        )
    }

    @Test("a token for Vonage is signed with the application's key, and no two requests have the same token")
    func vonage() throws {
        let key = try RSAPrivateKey.generate()
        var owner = Example.account("app-1")
        owner.key = key
        let tokens = try ["a", "b"].map { body in
            var request = GatewayRequest(url: "https://a.example", contentType: "text/plain", body: Array(body.utf8))
            GatewayAuthentication.vonage.sign(&request, owner, at: Example.now)
            let header = try #require(request.headers.first)
            #expect(request.headers.count == 1 && header.name == "Authorization" && header.value.hasPrefix("Bearer "))
            return header.value.dropFirst("Bearer ".count).split(separator: ".").map(String.init)
        }
        var ids: Set<String> = []
        for token in tokens {
            try #require(token.count == 3)
            let header = try #require(Base64URL.decode(token[0].utf8).flatMap { JSONObject(parsing: $0) })
            #expect(header == JSONObject(members: [("alg", .string("RS256")), ("typ", .string("JWT"))]))
            let claims = try #require(Base64URL.decode(token[1].utf8).flatMap { JSONObject(parsing: $0) })
            #expect(claims["application_id"] == .string("app-1") && claims["iat"] == .number("1790000000"))
            #expect(claims["exp"] == .number("1790000060"))
            ids.insert(try #require(claims["jti"]?.text))
            let signature = try #require(Base64URL.decode(token[2].utf8))
            #expect(key.publicKey.isValid(signature, for: Array("\(token[0]).\(token[1])".utf8)))
        }
        #expect(ids.count == 2)
    }

    @Test("a bearer token, and an HMAC of the body in a header field")
    func simple() throws {
        let request = GatewayRequest(
            url: "https://a.example",
            contentType: "application/json",
            body: Array(#"{"message":"hi"}"#.utf8)
        )
        let time = Example.now.utc
        #expect(
            try Self.signed(request, .bearer, "", Example.secret, at: time)
                == ["Authorization": "Bearer \(Example.secret)"]
        )
        // Python's hmac.
        let code = "ad65d56dea29d63a921b8b187b4df56f0a4def3877c15cf54d4df25f1fc068b9"
        #expect(try Self.signed(request, .hmac(header: "X-Code"), "", Example.secret, at: time) == ["X-Code": code])
    }

    @Test("the setting names an authentication")
    func setting() {
        #expect(GatewayAuthentication("basic") == .basic)
        #expect(GatewayAuthentication("bearer") == .bearer)
        #expect(GatewayAuthentication("hmac-sha256 X-Code") == .hmac(header: "X-Code"))
        #expect(GatewayAuthentication("aws-sigv4 eu-west-1/sns") == .aws(region: "eu-west-1", service: "sns"))
        for text in ["", "none", "basic x", "hmac-sha256", "hmac-sha256 X:Y", "aws-sigv4", "aws-sigv4 sns", "azure"] {
            #expect(GatewayAuthentication(text) == nil, "\(text)")
        }
    }
}
