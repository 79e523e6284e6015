import ChallengePages
import Encodings
import Foundation
import PhoneAuth
import Testing

@Suite struct DeepLinkTests {
    @Test("a token is passed to the app by exactly this link")
    func token() throws {
        #expect(
            try Sample.callback().link(token: "tok-1_2").url
                == "com.googleusercontent.apps.123-abc://firebaseauth/link?deep_link_id="
                + "https%3A%2F%2F127.0.0.1%3A9099%2F__%2Fauth%2Fcallback%3FauthType%3DverifyApp%26eventId%3DABCDEFGHIJ"
                + "%26recaptchaToken%3Dtok-1_2"
        )
    }

    @Test("an error is passed to the app by exactly this link")
    func error() throws {
        let app = try Sample.app()
        let callback = Callback(
            opening: .scheme(try #require(CallbackScheme(appIDOf: app))),
            eventID: try #require(EventID("ABCDEFGHIJ")),
            authDomain: try #require(AuthDomain("auth.example.com"))
        )
        #expect(
            callback.link(error: .cancelled).url
                == "app-1-123-ios-abc://firebaseauth/link?deep_link_id="
                + "https%3A%2F%2Fauth.example.com%2F__%2Fauth%2Fcallback%3FauthType%3DverifyApp%26eventId%3DABCDEFGHIJ"
                + "%26firebaseError%3D%257B%2522code%2522%253A%2522auth%252Fuser-cancelled%2522%252C%2522message%2522%253A"
                + "%2522The%2520user%2520cancelled%2520the%2520app%2520verification.%2522%257D"
        )
    }

    @Test("an Android app gets a token or an error as extras of an intent for its package")
    func intents() throws {
        let callback = try Sample.androidCallback()
        let prefix =
            "intent://firebase.auth/#Intent;scheme=recaptcha;package=com.example.app;"
            + "S.eventId=0b6f1f0e-7d3c-4a51-9f0e-0123456789ab;"
        #expect(
            callback.link(token: "a;b+c").url
                == prefix + "S.link=https%3A%2F%2Fauth.example.com%2F__%2Fauth%2Fcallback%3FauthType%3DverifyApp%26"
                + "eventId%3D0b6f1f0e-7d3c-4a51-9f0e-0123456789ab%26recaptchaToken%3Da%253Bb%252Bc;"
                + "B.encryptionEnabled=false;end"
        )
        let link = callback.link(error: .cancelled).url
        #expect(link.hasPrefix(prefix + "S.firebaseError=%7B%22code%22%3A%22auth%2Fuser-cancelled%22%2C"))
        #expect(link.hasSuffix("%7D;end"))
    }

    /// Returns the value of a query's field as the iOS SDK reads it to recognize its callback: `+` means a space.
    func field(_ name: String, of query: String?) -> String? {
        for component in (query ?? "").components(separatedBy: "&") {
            let parts = component.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == name else { continue }
            return parts[1].replacingOccurrences(of: "+", with: " ").removingPercentEncoding
        }
        return nil
    }

    /// Returns the value as the SDK reads the token: with `URLComponents`.
    func item(_ name: String, of url: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }

    @Test(
        "both parsers of the iOS SDK read the token unchanged",
        arguments: ["abc", "a+b/c==", "a b&c=d", "100%", "%2B", "é漢字🙂", "\"'<>"]
    )
    func readsToken(token: String) throws {
        let link = try Sample.callback().link(token: token).url
        let components = try #require(URLComponents(string: link))
        #expect(components.scheme == Sample.schemeName)
        #expect(components.host == "firebaseauth")
        #expect(components.path == "/link")
        #expect(link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !link.contains("+"))

        let outer = try #require(URL(string: link))
        let innerText = try #require(field("deep_link_id", of: outer.query))
        let inner = try #require(URL(string: innerText))
        #expect(field("authType", of: inner.query) == "verifyApp")
        #expect(field("eventId", of: inner.query) == "ABCDEFGHIJ")
        #expect(field("recaptchaToken", of: inner.query) == token)
        #expect(item("deep_link_id", of: link) == innerText)
        #expect(item("recaptchaToken", of: innerText) == token)
    }

    @Test("the iOS SDK reads the code and message of every error", arguments: VerifyAppError.allCases)
    func readsError(error: VerifyAppError) throws {
        let link = try Sample.callback().link(error: error).url
        let inner = try #require(item("deep_link_id", of: link))
        let json = try #require(item("firebaseError", of: inner))
        guard case .object(let object) = try JSONValue.parse(Array(json.utf8)) else {
            Issue.record("not an object: \(json)")
            return
        }
        #expect(object["code"] == .string(error.code) && error.code.hasPrefix("auth/"))
        #expect(object["message"] == .string(error.message))
    }

    @Test("printing a link shows no token")
    func hidden() throws {
        let link = try Sample.callback().link(token: "secret-token")
        var dumped = ""
        dump(link, to: &dumped)
        #expect(!("\(link)" + String(reflecting: link) + dumped).contains("secret-token"))
    }
}
