import Encodings
import IntegrityStandIn
import PhoneAuth
import PlayIntegrity
import Threads

/// An app with its own keys, and a worker's verification of its tokens.
struct TestApp {
    static let number = "+16505550100"
    static let now = Instant(milliseconds: 1_800_000_000_000)
    static let project = Project(id: "demo-app", authorizedDomains: [])

    let tokens: IntegrityTokens
    let apps: PlayIntegrityApps

    init(verdicts: [IntegrityVerdict] = IntegrityRequirements.standardVerdicts) throws {
        let tokens = try IntegrityTokens()
        self.tokens = tokens
        apps = Self.registered(.here(try ResponseKeys(file: Array(tokens.keyFile().utf8))), verdicts: verdicts)
    }

    static func registered(
        _ decoding: PlayIntegrityApp.Decoding,
        verdicts: [IntegrityVerdict] = IntegrityRequirements.standardVerdicts,
        waitingOn threads: CountingGate = CountingGate(maximum: 4)
    ) -> PlayIntegrityApps {
        let digest = [CertificateDigest(Hexadecimal.encode(IntegrityTokens.certificateDigest))].compactMap { $0 }
        let app = PlayIntegrityApp(
            projectID: project.id,
            packageName: IntegrityTokens.packageName,
            requirements: IntegrityRequirements(certificateDigests: digest, verdicts: verdicts),
            decoding: decoding
        )
        return PlayIntegrityApps([app], waitingOn: threads)
    }

    /// Returns the payload of a genuine token, with values at some paths replaced, or removed if the value is nil.
    static func payload(_ changes: [(path: [String], value: JSONValue?)] = []) -> JSONObject {
        var payload = IntegrityTokens.payload(for: number, at: now.milliseconds)
        for (path, value) in changes { payload[path: path] = value }
        return payload
    }

    static func request(
        _ token: String,
        packageName: String = IntegrityTokens.packageName,
        subjects: [String] = [number]
    ) -> IntegrityTokenRequest {
        IntegrityTokenRequest(token: token, packageName: packageName, subjects: subjects, now: now)
    }

    /// Returns why a token is refused; nil if it is accepted.
    func refusal(of token: String) -> InvalidAppCredential? {
        apps.refusal(of: Self.request(token), in: Self.project)
    }

    func refusal(of payload: JSONObject) throws -> InvalidAppCredential? {
        refusal(of: try tokens.token(payload))
    }
}
