import Testing

@Suite("Metrics behind nginx") struct NginxMetricsTests {
    private func status(_ target: String, _ port: UInt16) -> Int? {
        HTTP.send("GET \(target) HTTP/1.1", ["DIALTONE_LISTENER: admin", "Accept: */*"], to: port)?.status
    }

    @Test("only the admin listener has metrics, whether or not the admin interface is enabled")
    func hidden() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        let prefixes = ["", "/www.googleapis.com", "/identitytoolkit.googleapis.com", "/v1", "/admin", "/dialtone"]
        for prefix in prefixes {
            for path in [
                "/metrics", "/metrics/", "/METRICS", "//metrics", "/%6detrics", "/x/../metrics", "/metrics?a=b",
            ] {
                for port in [nginx.plainPort, nginx.unguardedPort] {
                    #expect(status(prefix + path, port) == 404, "\(prefix + path)")
                }
            }
        }
        #expect(!worker.log.contains(#""route":"metrics""#))
        // This test's worker has no metrics folder.
        #expect(status("/metrics", nginx.adminPort) == 503)
        #expect(worker.log.contains(#""route":"metrics""#))
    }

    @Test("only the admin listener shows why a worker is not ready")
    func readiness() throws {
        let nginx = try Nginx()
        let worker = try Worker(at: nginx.workerSocket)
        defer { withExtendedLifetime(worker) {} }
        for port in [nginx.plainPort, nginx.unguardedPort] {
            let answer = HTTP.send("GET /readyz?verbose HTTP/1.1", to: port)
            #expect(answer?.status == 200)
            #expect(answer?.body.contains("checks") == false)
        }
        #expect(HTTP.send("GET /readyz?verbose HTTP/1.1", to: nginx.adminPort)?.body.contains("checks") == true)
    }
}
