import ArgumentParser
import FastCGI
import Glibc
import Processes
import Threads

/// `dialtone dev`: a complete deployment on one machine, for trying Dialtone and developing against it.
struct DevelopmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract:
            "Run everything on loopback: a private Redis, workers and nginx, with new keys and an inbox for messages."
    )

    @Option(help: "The port. The SDKs' emulator settings use 9099 by default.")
    var port: UInt16 = 9099

    @Option(
        help: """
            Listen on this address, too: this machine's in your network, so that phones can connect, or 0.0.0.0 in a \
            container. Anyone who can connect can read the codes.
            """
    )
    var listen: String?

    @Option(help: "The number of worker processes.")
    var workers = 2

    @Option(help: "The project id.")
    var project = "demo-dialtone"

    @Flag(
        help: """
            Issue ID tokens and session cookies without a signature, which firebase-admin for Node requires of an \
            emulator. Anyone can forge such tokens.
            """
    )
    var unsignedTokens = false

    @Option(
        help: """
            The folder with Dialtone's nginx files. (default: that of `make install` with the program's PREFIX, such \
            as /usr/share/dialtone/nginx)
            """,
        completion: .directory
    )
    var nginxFolder: String?

    @Option(
        help: """
            A file with server blocks of your own for nginx, such as a site behind forward authentication: they can \
            include dialtone-auth.conf and dialtone-auth-headers.conf.
            """,
        completion: .file()
    )
    var site: String?

    func validate() throws {
        guard port > 0 else { throw ValidationError("--port \"\(port)\": not a number from 1 to 65535") }
        guard (1...64).contains(workers) else {
            throw ValidationError("--workers \"\(workers)\": not a number from 1 to 64")
        }
        guard listen.map({ NetworkAddress($0) != nil }) ?? true else {
            throw ValidationError("--listen \"\(listen ?? "")\": not an IP address, such as 192.168.1.20")
        }
    }

    func run() throws {
        guard SettingName.isOwner(project) else {
            throw Failure("--project \(project.debugDescription): not 1 to 63 lowercase letters, digits and dashes")
        }
        StopSignals.block()
        let executable = try ownExecutable()
        let address = listen.flatMap(NetworkAddress.init)
        let server: DevelopmentServer
        do {
            server = try DevelopmentServer(
                address: address,
                port: port,
                workers: workers,
                project: project,
                unsignedTokens: unsignedTokens,
                nginxFolder: nginxFolder ?? Self.nginxFolder(installedWith: executable),
                site: site,
                executable: executable
            )
        } catch let error as StartError {
            throw Failure("\(error)")
        } catch let error as ListenError {
            throw Failure("\(error)")
        }
        defer { server.stop() }
        let host = address.flatMap { $0.isWildcard ? nil : $0.inURL } ?? "127.0.0.1"
        printText(
            """

            Dialtone is ready.

              Try it      http://\(host):\(port)/
              Project     \(project), with any API key
              JavaScript  connectAuthEmulator(auth, "http://\(host):\(port)")
              Swift       Auth.auth().useEmulator(withHost: "\(host)", port: \(port))
              Android     Firebase.auth.useEmulator("\(host == "127.0.0.1" ? "10.0.2.2" : host)", \(port))

            Messages arrive in the inbox on that page; nothing is sent. Ctrl-C stops everything and removes its data.

            """
        )
        if let listen {
            printText(
                """
                WARNING: anyone who can connect to \(listen) can read the codes and sign in as any user. The page has a
                QR code with which phones open it.

                """
            )
        }
        if unsignedTokens {
            printText(
                """
                WARNING: ID TOKENS ARE NOT SIGNED (--unsigned-tokens). Anyone can forge them. Never let a server that
                holds real data accept them.

                """
            )
        }
        try server.waitForStop()
        printLine("Stopping …")
    }

    /// Returns the folder in which `make install` puts nginx's files with a program: `share` is beside the program's
    /// `bin`, whatever the prefix. A program that is not in a `bin` was not installed.
    static func nginxFolder(installedWith executable: String) -> String {
        let path = executable.split(separator: "/")
        let prefix = path.dropLast().last == "bin" ? path.dropLast(2) : ["usr"]
        return (prefix + ["share", "dialtone", "nginx"]).reduce("") { "\($0)/\($1)" }
    }
}

/// Returns the path of the running executable.
func ownExecutable() throws -> String {
    guard let path = realpath("/proc/self/exe", nil) else { throw Failure("/proc/self/exe: \(lastSystemError())") }
    defer { free(path) }
    return String(cString: path)
}
