import Testing

@Suite("A request over which workers die") struct RepetitionTests {
    @Test(
        "is repeated where that does nothing twice",
        arguments: [
            "GET /v1/projects?key=k",
            "POST /v1/accounts:sendVerificationCode?key=k",
            "POST /v1/accounts:signInWithPhoneNumber?key=k",
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
        "is not repeated where nobody has shown that",
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

    private func timesTried(_ request: String) throws -> Int {
        let nginx = try Nginx()
        let workers = try DyingWorker(at: nginx.workerSocket)
        defer { workers.stop() }
        let answer = try #require(HTTP.send("\(request) HTTP/1.1", ["Content-Length: 0"], to: nginx.plainPort))
        #expect(answer.status == 503)
        #expect(answer.body.hasPrefix(#"{"error":{"code":503,"#))
        #expect(answer.all("access-control-allow-origin") == ["*"])
        return workers.requests
    }
}
