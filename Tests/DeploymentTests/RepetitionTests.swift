import TestServers
import Testing

@Suite("A request whose worker dies") struct RepetitionTests {
    @Test(
        "is repeated if the request is idempotent",
        arguments: [
            "GET /v1/projects?key=k",
            "POST /v1/accounts:sendVerificationCode?key=k",
            "POST /v1/accounts:signInWithPhoneNumber?key=k",
            "POST /v1/accounts:sendOobCode?key=k",
            "POST /v1/accounts:resetPassword?key=k",
            "POST /v1/accounts:signInWithEmailLink?key=k",
            "POST /v1/accounts:lookup?key=k",
            "POST /v1/accounts:delete?key=k",
            "POST /v1/token?key=k",
            "POST /identitytoolkit.googleapis.com/v1/accounts:signInWithPhoneNumber?key=k",
            "POST /securetoken.googleapis.com/v1/token?key=k",
            "POST /www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber?key=k",
            "POST /v2/accounts/mfaEnrollment:start?key=k",
            "POST /v2/accounts/mfaSignIn:start?key=k",
            "POST /identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize?key=k",
            "GET /readyz",
        ]
    )
    func repeated(_ request: String) throws {
        #expect(try (3...6).contains(timesTried(request)))
    }

    @Test(
        "is not repeated unless a test shows that repeating it is safe",
        arguments: [
            "POST /v1/accounts:update?key=k", "POST /v1/accounts:signUp?key=k",
            "POST /v2/accounts/mfaEnrollment:finalize?key=k", "POST /v2/accounts/mfaEnrollment:withdraw?key=k",
            "POST /v1/accounts:signInWithPhoneNumberNow?key=k", "POST /",
            "PATCH /emulator/v1/projects/demo/config",
        ]
    )
    func notRepeated(_ request: String) throws {
        #expect(try timesTried(request) == 1)
    }

    @Test(
        "is not repeated if the worker is only slow",
        arguments: [
            "POST /v1/accounts:sendVerificationCode?key=k", "POST /v1/accounts:lookup?key=k", "POST /v1/token?key=k",
            "POST /v1/accounts:signInWithPhoneNumber?key=k", "POST /v1/accounts:update?key=k",
        ]
    )
    func slow(_ request: String) throws {
        let nginx = try Nginx(changing: [
            ("fastcgi_read_timeout 8s;", "fastcgi_read_timeout 1s;"),
            ("fastcgi_read_timeout 15s;", "fastcgi_read_timeout 1s;"),
        ])
        let workers = try DyingWorker(at: nginx.workerSocket, isSlow: true)
        defer { workers.stop() }
        let answer = try #require(HTTP.send("\(request) HTTP/1.1", ["Content-Length: 0"], to: nginx.plainPort))
        #expect(answer.status == 503)
        #expect(answer.all("retry-after") == ["1"])
        #expect(workers.requests == 1)
    }

    @Test("is dropped unprocessed if nginx gave up on it before a worker read it")
    func abandoned() throws {
        let nginx = try Nginx(changing: [("fastcgi_read_timeout 8s;", "fastcgi_read_timeout 3s;")])
        let worker = try Worker(at: nginx.workerSocket)
        defer { worker.resume() }
        let path = "/v1/accounts:sendVerificationCode?key=\(Worker.apiKey)"
        #expect(HTTP.post(path, "{}", to: nginx.plainPort)?.status == 400, "it makes a kept connection")
        worker.pause()
        let given = try (0..<3).map { _ in try #require(HTTP.post(path, "{}", to: nginx.plainPort)) }
        #expect(given.map(\.status) == [503, 503, 503])
        worker.resume()
        let later = try (0..<20).map { _ in try #require(HTTP.post(path, "{}", to: nginx.plainPort)) }
        #expect(eventually { later.allSatisfy { worker.log.contains($0.all("x-request-id")[0]) } })
        for answer in given { #expect(!worker.log.contains(answer.all("x-request-id")[0])) }
    }

    private func timesTried(_ request: String) throws -> Int {
        let nginx = try Nginx()
        let workers = try DyingWorker(at: nginx.workerSocket)
        defer { workers.stop() }
        let answer = try #require(HTTP.send("\(request) HTTP/1.1", ["Content-Length: 0"], to: nginx.plainPort))
        #expect(answer.status == 503)
        #expect(answer.body.hasPrefix(#"{"error":{"code":503,"#))
        #expect(answer.all("access-control-allow-origin") == ["*"])
        #expect(workers.values(of: "REQUEST_ID") == Set(answer.all("x-request-id")), "each try is the same request")
        return workers.requests
    }
}
