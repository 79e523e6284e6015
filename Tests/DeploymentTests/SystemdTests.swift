import FastCGI
import Passwords
import Processes
import TestServers
import Testing

@Suite("The systemd units") struct SystemdTests {
    /// Runs systemd-analyze on the installed units and on the system's, to which they refer.
    private func analyze(_ arguments: [String]) throws -> FinishedProcess {
        let installation = try Installation.prefixed()
        defer { withExtendedLifetime(installation) {} }
        let environment = [
            "SYSTEMD_UNIT_PATH": installation.path(of: "usr/lib/systemd/system") + ":", "PATH": "/usr/bin:/bin",
        ]
        return try FinishedProcess.run("systemd-analyze", arguments, environment: environment)
    }

    @Test(
        "systemd-analyze verify reports nothing",
        arguments: [
            "dialtone-worker@1.service", "dialtone-worker.socket", "dialtone-dispatcher.service", "dialtone.target",
        ]
    )
    func verified(_ unit: String) throws {
        let checked = try analyze(["verify", "--man=no", unit])
        #expect(checked.status.isSuccess)
        #expect(checked.output + checked.errors == "")
    }

    @Test(
        "the exposure level is at most 1.0 for a worker and 1.2 for a dispatcher, which connects to Apple",
        arguments: [("dialtone-worker@1.service", 10), ("dialtone-dispatcher.service", 12)]
    )
    func exposure(of unit: String, tenths: Int) throws {
        let checked = try analyze(["security", "--offline=true", "--no-pager", "--threshold=\(tenths)", unit])
        #expect(checked.status.isSuccess, "\(checked.output.split(separator: "\n").last ?? "")")
        #expect(checked.output.contains("Overall exposure level for \(unit)"))
    }

    @Test("a worker may only use sockets to nginx and Redis, and the machine's shared libraries")
    func openPoints() throws {
        let checked = try analyze(["security", "--offline=true", "--json=short", "dialtone-worker@1.service"])
        let names = checked.output.splitted(by: #"{"set":false,"name":""#).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        let needed: Set = [
            "RootDirectory=/RootImage=", "PrivateNetwork=", "RestrictAddressFamilies=~AF_UNIX",
            "RestrictAddressFamilies=~AF_(INET|INET6)",
            // Localhost is allowed, and so are the devices that ProtectClock= adds.
            "IPAddressDeny=", "DeviceAllow=",
            // Of these calls, a worker may only lower the priority of its own threads.
            "SystemCallFilter=~@resources",
        ]
        #expect(!names.isEmpty)
        #expect(Set(names).subtracting(needed).isEmpty)
    }

    @Test("a worker's memory limit has room for all concurrent password hashing")
    func memory() throws {
        let installation = try Installation.prefixed()
        let worker = installation.read("usr/lib/systemd/system/dialtone-worker@.service").split(separator: "\n")
        let high = try #require(worker.first { $0.hasPrefix("MemoryHigh=") && $0.hasSuffix("M") })
        let mebibytes = try #require(Int(high.dropFirst("MemoryHigh=".count).dropLast()))
        let hashing = PasswordHashingConfiguration(servingThreads: ServerConfiguration().threads)
        // A worker without passwords takes about 30 MB. Twice as much leaves room for the largest requests.
        #expect(mebibytes >= hashing.memoryBytes >> 20 + 64)
    }

    @Test(
        "a unit reads files through a group that the installation creates, and systemd waits for its first Redis reply",
        arguments: ["dialtone-worker@.service", "dialtone-dispatcher.service"]
    )
    func files(_ name: String) throws {
        let installation = try Installation.prefixed()
        let unit = installation.read("usr/lib/systemd/system/\(name)").split(separator: "\n")
        #expect(unit.contains("Group=dialtone-keys") && unit.contains("Type=notify"))
        #expect(!unit.contains { $0.hasPrefix("InaccessiblePaths=") && $0.contains("etc/dialtone") })
        #expect(try membersOfGroups(installation)["dialtone-keys"] == "")
    }

    @Test("the workers' socket is accessible to a group that the installation creates, with nginx as its only member")
    func socketGroup() throws {
        let installation = try Installation.prefixed()
        let socket = installation.read("usr/lib/systemd/system/dialtone-worker.socket").split(separator: "\n")
        #expect(socket.contains("SocketGroup=dialtone-nginx"))
        #expect(socket.contains("SocketMode=0660"))
        #expect(try membersOfGroups(installation)["dialtone-nginx"] == "www-data")
    }

    /// Creates the groups of the installation on a machine with Debian's nginx, and returns the members of each group.
    private func membersOfGroups(_ installation: Installation) throws -> [String: String] {
        let root = try TemporaryFolder()
        try mustSucceed("mkdir", [root.path(of: "etc")])
        let users = "www-data:x:33:33::/var/www:/usr/sbin/nologin\n"
        try root.write(users, to: "etc/passwd")
        try root.write("www-data:x:33:\n", to: "etc/group")
        let groups = installation.path(of: "usr/lib/sysusers.d/dialtone.conf")
        try mustSucceed("systemd-sysusers", ["--root=\(root.path)", groups])
        #expect(root.read("etc/passwd") == users)
        let lines = root.read("etc/group").split(separator: "\n")
            .map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[3]) })
    }
}
