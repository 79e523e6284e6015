import Glibc
import Processes
import Testing
import TestServers

@Suite("make install") struct InstallTests {
    @Test("every file is installed where nginx, systemd and the program expect it")
    func everyFile() throws {
        #expect(
            try Installation.staged().files().filter { !$0.hasSuffix(".md") } == [
                "etc/dialtone/dialtone.conf.example",
                "etc/nginx/conf.d/dialtone.conf.example",
                "etc/nginx/dialtone-admin.conf",
                "etc/nginx/dialtone-auth-headers.conf",
                "etc/nginx/dialtone-auth.conf",
                "etc/nginx/dialtone-fastcgi.conf",
                "etc/nginx/dialtone-http.conf",
                "etc/nginx/dialtone-locations.conf",
                "usr/lib/systemd/system/dialtone-dispatcher.service",
                "usr/lib/systemd/system/dialtone-worker.socket",
                "usr/lib/systemd/system/dialtone-worker@.service",
                "usr/lib/systemd/system/dialtone.target",
                "usr/lib/sysusers.d/dialtone.conf",
                "usr/share/dialtone/nginx/dialtone-admin.conf",
                "usr/share/dialtone/nginx/dialtone-auth-headers.conf",
                "usr/share/dialtone/nginx/dialtone-auth.conf",
                "usr/share/dialtone/nginx/dialtone-emulator-tls.conf",
                "usr/share/dialtone/nginx/dialtone-fastcgi.conf",
                "usr/share/dialtone/nginx/dialtone-http.conf",
                "usr/share/dialtone/nginx/dialtone-locations.conf",
                "usr/share/dialtone/nginx/dialtone.conf",
                "usr/share/doc/dialtone/dialtone-alerts.yml",
                "usr/share/doc/dialtone/dialtone-dashboard.json",
            ]
        )
    }

    @Test("the guides are installed in one folder, and each link leads to another guide or to the web")
    func guides() throws {
        let installation = try Installation.staged()
        let folder = "usr/share/doc/dialtone/"
        let guides = try installation.files().filter { $0.hasPrefix(folder) && $0.hasSuffix(".md") }
        #expect(guides.count > 30 && guides.contains(folder + "systemd.md") && guides.contains(folder + "Keys.md"))
        for guide in guides {
            for link in installation.read(guide).splitted(by: "](").dropFirst() {
                let target = link.prefix { $0 != ")" && $0 != "#" }
                let isKnown = target.isEmpty || target.contains(":") || guides.contains(folder + target)
                #expect(isKnown, "\(guide): \(target)")
            }
        }
    }

    @Test("a second installation keeps the operator's files and replaces Dialtone's")
    func secondInstallation() throws {
        let installation = try Installation.staged()
        let edited = ["etc/dialtone/dialtone.conf", "etc/dialtone/keys.json", "etc/nginx/conf.d/dialtone.conf"]
        for name in edited { try installation.folder.write("an operator's", to: name) }
        try installation.folder.write("old", to: "etc/nginx/dialtone-http.conf")
        try installation.install()
        for name in edited { #expect(installation.read(name) == "an operator's") }
        #expect(installation.read("etc/nginx/dialtone-http.conf").contains("log_format dialtone"))
    }

    @Test("installed settings are readable only by their owner and their group, because they contain a password")
    func mode() throws {
        let installation = try Installation.staged()
        let example = installation.path(of: "etc/dialtone/dialtone.conf.example")
        let copy = installation.path(of: "etc/dialtone/dialtone.conf")
        try mustSucceed("cp", [example, copy])
        #expect(try mustSucceed("stat", ["-c", "%a", copy]).output == "640\n")
    }

    @Test("with another prefix, the units use the program and the settings under it")
    func prefix() throws {
        let installation = try Installation.prefixed()
        let unit = installation.read("usr/lib/systemd/system/dialtone-worker@.service")
        let settings = installation.path(of: "etc/dialtone/dialtone.conf")
        #expect(unit.contains("ExecStart=\(installation.path(of: "usr/bin/dialtone")) worker --config \(settings)\n"))
    }

    @Test("with another prefix, dialtone dev finds the nginx files under it")
    func developmentServer() throws {
        let installation = try Installation.prefixed()
        let program = installation.path(of: "usr/bin/dialtone")
        try mustSucceed("cp", ["--reflink=auto", Checkout.program, program])
        let (port, log) = (FreePort.next(), installation.path(of: "dev.log"))
        let server = try ChildProcess.start(
            program,
            ["dev", "--port", String(port)],
            output: .file(path: log),
            errors: .file(path: log)
        )
        defer { server.stop(SIGTERM) }
        let isReady = eventually {
            server.waitForExit(atMost: .zero) != nil
                || HTTP.send("GET /readyz HTTP/1.1", host: "localhost", to: port)?.status == 200
        }
        #expect(isReady && server.waitForExit(atMost: .zero) == nil, "\(installation.read("dev.log"))")
    }
}
