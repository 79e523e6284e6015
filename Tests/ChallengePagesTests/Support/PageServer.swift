import DialtoneTexts
import Encodings
import PhoneAuth
import Processes
import TestBrowser
import TestServers

@testable import ChallengePages

/// A server of rendered pages, with responses that a test chooses: see `page_server.py`.
final class PageServer: Sendable {
    let server: ScriptServer
    /// The link with which the server responds to solved challenges.
    let link: String

    init() throws {
        let link = try Sample.callback().link(token: "a token+of/the test").url
        self.link = link
        server = try ScriptServer(Script.path("page_server.py"), argument: "") { folder in
            try folder.write(Sample.key, to: "key")
            try folder.write(link, to: "location")
            try folder.write(String(decoding: Self.challenge().json, as: UTF8.self), to: "challenge.json")
            for language in Language.allCases {
                let name = language.tag.filter { $0 != "-" }
                try Self.write(try ChallengePageTests.page(language), name, folder)
                try Self.write(
                    ChallengePageTests.page(.unknownApp, nil, language),
                    "refused\(name)",
                    folder
                )
            }
            try Self.write(ChallengePageTests.page(.bundleIDMismatch, try Sample.callback()), "mismatch", folder)
            for (kind, name) in zip(
                ChallengeProvider.Kind.allCases,
                ["checkbox", "invisible", "hcaptcha", "turnstile"]
            ) {
                try Self.write(try ChallengePageTests.page(kind), name, folder)
            }
            for (script, name) in [(ScriptForWebApps.verifier, "verifier"), (.module, "dialtone")] {
                try Self.write(script.body, script.headers, name, folder)
            }
            // A web app's own page, with a content security policy that forbids workers.
            let policy = "default-src 'none'; script-src *; connect-src *"
            let strict: [(name: StaticString, value: String)] = [("Content-Security-Policy", policy)]
            for (name, headers) in [("web", []), ("strictweb", strict)] {
                let html = "<!doctype html><title>app</title><script src='/__/auth/verifier.js'></script>"
                try Self.write(Array(html.utf8), [(name: "Content-Type", value: "text/html")] + headers, name, folder)
            }
        }
    }

    /// Returns the URL of a page. `answer` is the kind of response of `/verify`.
    func url(_ name: String, answer: String = "", host: String = "127.0.0.1") -> String {
        let query = "authType=verifyApp&eventId=ABCDEFGHIJ&case=\(name)" + (answer.isEmpty ? "" : "&answer=\(answer)")
        return "http://\(host):\(server.port)/__/auth/handler?\(query)"
    }

    /// The posted requests, in order: path, query and body.
    var posts: [String] { server.folder.read("posts").split(separator: "\n").map(String.init) }

    private static func challenge() -> ProofOfWorkChallenge {
        Sample.proofOfWork().challenge(
            for: Sample.subject(),
            difficulty: .lowest,
            at: 4_000_000_000,
            randomBytes: Sample.laborious
        )
    }

    private static func write(_ page: ChallengePage, _ name: String, _ folder: TemporaryFolder) throws {
        try write(page.render(), page.headers, name, folder)
    }

    private static func write(
        _ body: [UInt8],
        _ headers: [(name: StaticString, value: String)],
        _ name: String,
        _ folder: TemporaryFolder
    ) throws {
        var json = JSONWriter()
        json.array { json in
            for header in headers {
                json.array { json in
                    json.value("\(header.name)")
                    json.value(header.value)
                }
            }
        }
        try folder.write(String(decoding: body, as: UTF8.self), to: "\(name).html")
        try folder.write(String(decoding: json.bytes, as: UTF8.self), to: "\(name).headers")
    }
}
