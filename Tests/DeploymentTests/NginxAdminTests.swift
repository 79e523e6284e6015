import Testing

@Suite("The admin interface behind nginx") struct NginxAdminTests {
    /// Every admin path. Those in the second list are read with GET.
    private static let posted =
        ["", ":lookup", ":update", ":delete", ":batchCreate", ":batchDelete", ":query"].map {
            "/v1/projects/demo/accounts\($0)"
        } + ["/v1/projects/demo:createSessionCookie", "/token", "/v2/projects/demo/reports:explain"]
        + ["/v2/projects/demo/limits:reset", "/v2/projects/demo/outbox:retry"]
    private static let read = [
        "/v1/projects/demo/accounts:batchGet", "/v2/projects/demo/config", "/admin/v2/projects/demo/config", projects,
    ]
    private static let projects = "/operator/projects"
    /// The paths that Google's hosts do not have.
    private static let ownPaths = ["/token", projects]

    private static let hosts = ["identitytoolkit", "securetoken", "www", "oauth2"].map { "/\($0).googleapis.com" }
    private static let prefixes =
        hosts + [hosts[0] + hosts[0], hosts[2] + hosts[0]]
        + ["", "/example.com", "/emulator", "/dialtone", "/v1", "/admin"]

    /// Other spellings of a path. nginx normalizes those in the first list before it selects a location.
    private static let undone: [@Sendable (String) -> String] = [
        { $0 },
        { $0.replacing("/", with: "//") },
        { "/" + $0 },
        { "/" + $0.dropFirst().replacing("/", with: "%2F") },
        { "/" + $0.dropFirst().replacing("/", with: "%2f") },
        { $0.replacing("/", with: "/./") },
        { $0.replacing("/", with: "/%2e/") },
        { $0.replacing("/", with: "/x/../") },
        { $0.replacing("/", with: "/x/%2E%2e%2f") },
        { $0.replacing(".", with: "%2e") },
        { $0.replacing(":", with: "%3A") },
        { $0.replacing("o", with: "%6f") },
        { "http://auth.example.com" + $0 },
        { $0 + "?key=k" },
        { $0 + "#x" },
    ]
    private static let others: [@Sendable (String) -> String] = [
        { $0.uppercased() },
        { $0.replacing("projects", with: "Projects").replacing("token", with: "Token") },
        { $0.replacing("/v", with: "/V") },
        { $0 + "/" },
        { $0 + "." },
        { $0 + "/." },
        { $0 + "/%2e" },
        { $0 + "%20" },
        { $0 + "%0a" },
        { $0 + ";a=b" },
        { $0 + "%3Fkey=k" },
        { $0.replacing("/", with: "/;/") },
        { "/" + $0.dropFirst().replacing("/", with: "%5C") },
        { "/" + $0.dropFirst().replacing("/", with: "%252F") },
        { $0.replacing("o", with: "%256f") },
        { $0.replacing("/", with: "/x/%252e%252e/") },
    ]

    /// Headers with which a client may try to forge nginx's mark.
    private static let headers = [
        "Authorization: Bearer x", "DIALTONE_LISTENER: admin", "DIALTONE-LISTENER: admin", "Dialtone-Listener: admin",
        "Content-Type: application/json", "Content-Length: 2",
    ]

    private func status(_ method: String, _ target: String, _ port: UInt16) -> Int? {
        HTTP.send("\(method) \(target) HTTP/1.1", Self.headers, body: "{}", to: port)?.status
    }

    @Test("no spelling of an admin path reaches an admin route through the public server block")
    func hidden() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket, settings: ["ADMIN_ROUTES": "enabled"])
        for path in Self.posted + Self.read {
            for prefix in Self.prefixes {
                for spelling in Self.undone + Self.others {
                    let target = spelling(prefix + path)
                    // The protocol's token endpoint is public, and rejects this body's type.
                    let isPublic = path == "/token" && prefix == "/v1"
                    for port in [nginx.plainPort, nginx.unguardedPort] where !isPublic {
                        let answer = status("POST", target, port)
                        #expect(answer == 404, "\(target) at \(port == nginx.plainPort ? "nginx" : "the worker")")
                    }
                }
            }
        }
        #expect(worker.log.contains(#""route":"unknown""#), "the worker refused the second half itself")
        for route in [#""route":"admin"#, #""route":"grantAccess""#] { #expect(!worker.log.contains(route)) }
    }

    @Test("every admin path responds on the admin listener, and only under its own host name")
    func served() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket, settings: ["ADMIN_ROUTES": "enabled"])
        defer { withExtendedLifetime(worker) {} }
        for (method, paths) in [("POST", Self.posted), ("GET", Self.read)] {
            for path in paths {
                // A service account gets an OAuth error, and any other request an error for an invalid bearer token.
                let refused = path == "/token" ? 400 : 401
                for prefix in Self.ownPaths.contains(path) ? [""] : ["", Self.hosts[0]] {
                    for spelling in Self.undone {
                        let target = spelling(prefix + path)
                        #expect(status(method, target, nginx.adminPort) == refused, "\(target)")
                    }
                }
                for prefix in Self.hosts.dropFirst() {
                    #expect(status(method, prefix + path, nginx.adminPort) == 404, "\(prefix + path)")
                }
            }
        }
    }

    @Test("the operator's page and its files are on the admin listener only", arguments: ["", "/operator.js"])
    func page(file: String) throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket, settings: ["ADMIN_ROUTES": "enabled"])
        defer { withExtendedLifetime(worker) {} }
        let path = "/operator\(file)"
        #expect(status("GET", path, nginx.adminPort) == 200)
        for port in [nginx.plainPort, nginx.unguardedPort] {
            for spelling in Self.undone + Self.others { #expect(status("GET", spelling(path), port) == 404) }
        }
    }

    @Test("without a worker, the public server block still rejects admin paths")
    func refusedByNginx() throws {
        let nginx = try Nginx()
        for path in Self.posted + Self.read {
            for prefix in ["", Self.hosts[0], Self.hosts[2]] {
                #expect(HTTP.post(prefix + path, "{}", to: nginx.plainPort)?.status == 404)
            }
            #expect(HTTP.post(path, "{}", to: nginx.adminPort)?.status == 503)
        }
    }

    @Test(
        "both listeners pass on paths that only resemble admin paths",
        arguments: ["/v1/projects", "/v1/token", "/tokens", "/operators"]
    )
    func others(path: String) throws {
        let nginx = try Nginx()
        for port in [nginx.plainPort, nginx.adminPort] { #expect(HTTP.post(path, "{}", to: port)?.status == 503) }
    }

    @Test("retries of requests to separate admin workers stay with these workers", arguments: Self.read)
    func separate(path: String) throws {
        let nginx = try Nginx(separateAdmin: true)
        let publicWorkers = try DyingWorker(at: nginx.workerSocket)
        let adminWorkers = try DyingWorker(at: nginx.adminWorkerSocket)
        defer { for workers in [publicWorkers, adminWorkers] { workers.stop() } }
        #expect(HTTP.send("GET \(path) HTTP/1.1", to: nginx.adminPort)?.status == 503)
        #expect(adminWorkers.requests >= 3, "at least one attempt follows those on kept connections")
        #expect(publicWorkers.requests == 0)
        #expect(HTTP.send("GET /v1/projects HTTP/1.1", to: nginx.adminPort)?.status == 503)
        #expect(publicWorkers.requests >= 3, "the public paths of this server block stay with the public workers")
    }

    @Test("a request repeated after a worker's death still counts as a request to the admin listener")
    func repeated() throws {
        let nginx = try Nginx()
        let workers = try DyingWorker(at: nginx.workerSocket)
        defer { workers.stop() }
        #expect(HTTP.send("GET \(Self.read[0]) HTTP/1.1", to: nginx.adminPort)?.status == 503)
        #expect(workers.requests >= 3)
        #expect(workers.listeners == ["admin"])
        #expect(HTTP.send("GET /v1/projects HTTP/1.1", to: nginx.plainPort)?.status == 503)
        #expect(workers.listeners == ["admin", "public"])
    }
}
