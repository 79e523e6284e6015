internal import Glibc
internal import Processes
internal import TestServers

/// A headless Chromium for tests. It exits when the value is released.
public final class Browser: Sendable {
    private let child: ChildProcess
    private let folder: TemporaryFolder
    private let port: UInt16

    /// A host name that the browser resolves to this machine. Unlike a loopback address, it is not a secure context
    /// over plain HTTP, so the browser provides no WebCrypto, in pages and in workers.
    public static let insecureHost = "dialtone.test"

    /// Which Chromium runs.
    public enum Kind: Sendable {
        /// The headless shell: the engine without the browser around it. It takes less than half the CPU time.
        case shell
        /// The whole browser, with a back/forward cache.
        case whole
        /// The whole browser of a user who blocks cookies, and with them all storage.
        case blockingCookies
    }

    /// Starts a browser, and returns when it can be controlled.
    ///
    /// - Throws: `StartError` or `ServerFailure`.
    public init(_ kind: Kind = .shell) throws {
        let folder = try TemporaryFolder(prefix: "dialtone-browser")
        self.folder = folder
        if kind == .blockingCookies {
            mkdir(folder.path(of: "Default"), 0o700)
            let preferences = #"{"profile":{"default_content_setting_values":{"cookies":2}}}"#
            try folder.write(preferences, to: "Default/Preferences")
        }
        let log = folder.path(of: "log")
        child = try ChildProcess.start(
            kind == .shell ? "chromium-headless-shell" : "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                "--remote-debugging-port=0", "--user-data-dir=\(folder.path)",
                "--host-resolver-rules=MAP \(Self.insecureHost) 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
            // The browser's temporary files are removed with the test's own.
            environment: [
                "PATH": getenv("PATH").map { String(cString: $0) } ?? "", "HOME": folder.path, "TMPDIR": folder.path,
            ],
            output: .file(path: log),
            errors: .file(path: log)
        )
        var port: UInt16?
        let isUp = eventually {
            // The browser writes the port to this file once it listens.
            port = folder.read("DevToolsActivePort").split(separator: "\n").first.flatMap { UInt16($0) }
            return port != nil
        }
        guard isUp, let port else {
            child.stop(SIGKILL)
            throw ServerFailure(description: "chromium did not start: \(folder.read("log").suffix(2_000))")
        }
        self.port = port
    }

    /// The script beside this file that speaks the browser's protocol.
    private static let driver = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/browser.py"

    deinit { child.stop() }

    /// Visits a page.
    ///
    /// - Parameter visit: the URL and the steps.
    /// - Returns: the page after the last step.
    /// - Throws: `ServerFailure` with the driver's message if a step does not succeed in time.
    public func visit(_ visit: Visit) throws -> VisitedPage {
        let output = try Python.run([Self.driver, String(port), visit.json])
        return try VisitedPage(json: Array(output.utf8))
    }
}
