import Testing

@Suite("The admin interface behind nginx") struct NginxAdminTests {
    @Test(
        "only its own server block passes it on",
        arguments: [
            "/v1/projects/demo/accounts", "/v1/projects/demo/accounts:lookup", "/v1/projects/demo:createSessionCookie",
            "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup", "/v2/projects/demo/config",
            "/admin/v2/projects/demo/config", "/identitytoolkit.googleapis.com/admin/v2/projects/demo/config", "/token",
        ]
    )
    func hidden(path: String) throws {
        let nginx = try Nginx()
        // Nobody serves, so what is passed on ends with 503.
        #expect(HTTP.post(path, "{}", to: nginx.plainPort)?.status == 404)
        #expect(HTTP.post(path, "{}", to: nginx.adminPort)?.status == 503)
    }

    @Test("what only looks like it is passed on by both", arguments: ["/v1/projects", "/v1/token", "/tokens"])
    func others(path: String) throws {
        let nginx = try Nginx()
        for port in [nginx.plainPort, nginx.adminPort] { #expect(HTTP.post(path, "{}", to: port)?.status == 503) }
    }
}
