import TestServers
import Testing

/// A person who opens a hosted page gets a page, whatever fails: from nginx, and from workers.
@Suite("Hosted pages are pages through an outage") struct HostedPageErrorTests {
    private static let paths = ["sign-in", "account", "action", "links", "handler"].map { "/__/auth/\($0)" }
    private static let otherPaths = ["/v2/signInConfig", "/__/auth/sign-in.js", "/__/auth/sign-in-0123456789abcdef.js"]

    private func get(
        _ path: String,
        _ query: String = "",
        _ language: String = "",
        on port: UInt16,
        from address: String = "127.0.0.1",
        method: String = "GET"
    ) -> HTTP.Answer? {
        HTTP.send(
            "\(method) \(path)?apiKey=\(Worker.apiKey)&key=\(Worker.apiKey)\(query) HTTP/1.1",
            ["Accept-Language: \(language)", "X-Forwarded-For: \(address)", "Content-Length: 0"],
            to: port
        )
    }

    private func expectPage(_ answer: HTTP.Answer?, _ status: Int, _ text: String, _ path: String) {
        #expect(answer?.status == status, "\(path)")
        #expect(answer?.all("content-type").map { $0.lowercased() } == ["text/html; charset=utf-8"], "\(path)")
        #expect(answer?.all("cache-control") == ["no-store"], "\(path)")
        #expect(answer?.all("content-security-policy").first?.contains("frame-ancestors 'none'") == true, "\(path)")
        #expect(answer?.body.contains(text) == true && answer?.body.contains(#""error""#) == false, "\(path)")
        guard let status = answer?.status, status == 429 || status >= 500 else { return }
        #expect(answer?.all("retry-after") == ["1"], "\(path)")
        #expect(answer?.body.contains(#"href="">"#) == true, "\(path): a link to try again")
    }

    private func expectEnvelope(_ answer: HTTP.Answer?, _ status: Int, _ path: String) {
        #expect(answer?.status == status, "\(path)")
        #expect(answer?.body.hasPrefix(#"{"error":{"code":\#(status),"#) == true, "\(path)")
    }

    @Test("without a worker")
    func noWorker() throws {
        let nginx = try Nginx()
        for path in Self.paths { expectPage(get(path, on: nginx.plainPort), 503, "The server has a problem.", path) }
        for path in Self.otherPaths { expectEnvelope(get(path, on: nginx.plainPort), 503, path) }
    }

    /// As a worker decides: `LanguageTests`.
    static let languages: [(query: String, header: String, tag: String)] = [
        ("", "", "en"), ("&hl=", "tlh, he-IL;q=0.5", "he"), ("", "pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("&hl=de", "fr", "de"), ("&lang=de", "fr", "de"), ("&hl=tlh", "fr", "en"), ("&hl=iw", "", "he"),
        ("&hl=in", "", "id"),
        ("&hl=zh", "", "zh-Hans"), ("&hl=ZH-HANT-CN", "", "zh-Hant"), ("&hl=zh_TW", "", "zh-Hant"),
        ("", "zh-HK,en", "zh-Hant"), ("", "zh-Hans-TW", "zh-Hans"), ("", "*", "en"), ("", "english", "en"),
        ("", "x,fr-CA;q=0.1", "fr"), ("&hl=%22%3E%3Cscript%3E", "", "en"), ("", "\"><script>", "en"),
    ]

    @Test("without a worker, in the user's language", arguments: languages)
    func language(query: String, header: String, tag: String) throws {
        let nginx = try Nginx()
        let answer = get("/__/auth/sign-in", query, header, on: nginx.plainPort)
        expectPage(answer, 503, #"<html lang="\#(tag)">"#, query + header)
        #expect(answer?.body.contains("script>") == false)
    }

    @Test("when workers die or are slow")
    func deadAndSlow() throws {
        for isSlow in [false, true] {
            let nginx = try Nginx(changing: [("fastcgi_read_timeout 8s;", "fastcgi_read_timeout 1s;")])
            let workers = try DyingWorker(at: nginx.workerSocket, isSlow: isSlow)
            defer { workers.stop() }
            let answer = get(Self.paths[0], "&hl=fr", on: nginx.plainPort)
            expectPage(answer, 503, "Le serveur rencontre un problème.", Self.paths[0])
        }
    }

    @Test("when nginx rate limits them")
    func limited() throws {
        let nginx = try Nginx(changing: [("burst=500 ", "burst=1 "), ("rate=100r/s", "rate=1r/m")])
        for (number, path) in Self.paths.enumerated() {
            let address = "198.51.100.\(number)"
            for _ in 0..<2 { _ = get(path, on: nginx.plainPort, from: address) }
            let limited = get(path, "&hl=de", on: nginx.plainPort, from: address)
            expectPage(limited, 429, "Der Server hat ein Problem.", path)
            expectEnvelope(get(Self.otherPaths[0], on: nginx.plainPort, from: address), 429, path)
        }
    }

    @Test("when Redis is down, and when a request is malformed or has the wrong method")
    func worker() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        for path in Self.paths {
            let malformed = get(path, "&continueUrl=%zz", "de", on: nginx.plainPort)
            expectPage(malformed, 400, "Der Link ist unvollständig oder beschädigt.", path)
            let posted = get(path, "&hl=de", on: nginx.plainPort, method: "POST")
            expectPage(posted, 405, "Dieser Link funktioniert nicht", path)
        }
        worker.stopRedis()
        for path in Self.paths.prefix(2) {
            #expect(eventually { get(path, on: nginx.plainPort)?.status == 503 })
            expectPage(get(path, "", "ja", on: nginx.plainPort), 503, "サーバーで問題が発生しました", path)
        }
        expectEnvelope(get(Self.otherPaths[0], on: nginx.plainPort), 503, Self.otherPaths[0])
    }
}
