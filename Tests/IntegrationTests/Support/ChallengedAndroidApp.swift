import Encodings
import TestServers

/// An Android app without another proof: opens the challenge page, and reads the intent at its end.
struct ChallengedAndroidApp {
    let packageName: String

    /// The query with which the SDK opens the page.
    var query: String {
        "apiKey=\(RunningServer.apiKey)&authType=verifyApp&apn=\(packageName)&hl=en&v=X23001000&eid=p"
            + "&eventId=0b6f1f0e-7d3c-4a51-9f0e-0123456789ab&appName=%5BDEFAULT%5D&publicKey=k"
            + "&sha1Cert=00112233445566778899aabbccddeeff00112233"
    }

    /// Returns the token in an intent, which must be for this app only.
    func token(in link: String) throws -> String {
        let start = "intent://firebase.auth/#Intent;scheme=recaptcha;package=\(packageName);S.eventId="
        guard link.hasPrefix(start), let extra = link.split(separator: ";").first(where: { $0.hasPrefix("S.link=") }),
            let inner = FormFields(extra.utf8)?["S.link"]?.split(separator: "?").last,
            let token = FormFields(inner.utf8)?["recaptchaToken"]
        else { throw ServerFailure(description: "no intent with a token for the app: \(link)") }
        return token
    }

    /// Solves the challenge with ALTCHA's own solver instead of the page, and returns the token.
    func token(from server: RunningServer) throws -> String {
        let answer = try server.submit(try server.solvedChallenge(query), query)
        guard let link = answer["location"] else {
            throw ServerFailure(description: "no link: \(answer.errorMessage ?? "")")
        }
        return try token(in: link)
    }
}
