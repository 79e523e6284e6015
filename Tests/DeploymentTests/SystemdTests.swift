import Processes
import Testing

@Suite("The systemd units") struct SystemdTests {
    /// Ours first, then the system's, which ours refer to.
    private func analyze(_ arguments: [String]) throws -> FinishedProcess {
        let installation = try Installation.prefixed()
        defer { withExtendedLifetime(installation) {} }
        let environment = [
            "SYSTEMD_UNIT_PATH": installation.path(of: "usr/lib/systemd/system") + ":", "PATH": "/usr/bin:/bin",
        ]
        return try FinishedProcess.run("systemd-analyze", arguments, environment: environment)
    }

    @Test(
        "systemd has nothing to complain about",
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
        "a worker's exposure is at most 1.0 of 10, a dispatcher's, which talks to Apple, at most 1.2",
        arguments: [("dialtone-worker@1.service", 10), ("dialtone-dispatcher.service", 12)]
    )
    func exposure(of unit: String, tenths: Int) throws {
        let checked = try analyze(["security", "--offline=true", "--no-pager", "--threshold=\(tenths)", unit])
        #expect(checked.status.isSuccess, "\(checked.output.split(separator: "\n").last ?? "")")
        #expect(checked.output.contains("Overall exposure level for \(unit)"))
    }

    @Test("what stays open is what a worker needs: sockets to nginx and Redis, and the machine's shared libraries")
    func openPoints() throws {
        let checked = try analyze(["security", "--offline=true", "--json=short", "dialtone-worker@1.service"])
        let names = checked.output.splitted(by: #"{"set":false,"name":""#).dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        let needed: Set = [
            "RootDirectory=/RootImage=", "PrivateNetwork=", "RestrictAddressFamilies=~AF_UNIX",
            "RestrictAddressFamilies=~AF_(INET|INET6)",
            // Allowed is localhost, and of devices what ProtectClock= brings.
            "IPAddressDeny=", "DeviceAllow=",
        ]
        #expect(!names.isEmpty)
        #expect(Set(names).subtracting(needed).isEmpty)
    }
}
