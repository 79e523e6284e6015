import Glibc
import Processes
import TestBrowser
import TestServers

/// The example app as `make example` starts it, in a separate folder. It stops when the value is released.
final class ExampleApp: Sendable {
    let port = FreePort.next()
    let authPort = FreePort.next()
    let folder: TemporaryFolder
    let process: ChildProcess

    /// Starts the app, its API and the development server, and returns when they respond.
    init() throws {
        folder = try TemporaryFolder(prefix: "dialtone-example-test")
        process = try Self.start(folder, port: port, authPort: authPort)
        guard eventually({ (try? request("/").status) == 200 && folder.read("output").contains("is ready") }) else {
            throw ServerFailure(description: "the example did not start: \(folder.read("errors"))")
        }
    }

    deinit { process.stop() }

    /// Starts `run`, whose temporary files are created in the folder, too.
    static func start(_ folder: TemporaryFolder, port: UInt16, authPort: UInt16) throws -> ChildProcess {
        try ChildProcess.start(
            "\(RunningServer.packageFolder)/Sources/ExampleApp/run",
            [RunningServer.binary, "--port", String(port), "--auth-port", String(authPort)],
            environment: ["PATH": getenv("PATH").map { String(cString: $0) } ?? "", "TMPDIR": folder.path],
            output: .file(path: folder.path(of: "output")),
            errors: .file(path: folder.path(of: "errors"))
        )
    }

    /// Returns the names of what the app's processes have left in the folder.
    static func leftovers(_ folder: TemporaryFolder) throws -> [Substring] {
        try FinishedProcess.run("ls", [folder.path]).output.split(separator: "\n").filter {
            !["output", "errors"].contains($0)
        }
    }

    /// The sign-in server's origin.
    var authServer: String { "http://127.0.0.1:\(authPort)" }

    /// Returns the response of the app's site.
    func request(
        _ path: String,
        method: String = "GET",
        host: String = "127.0.0.1",
        headers: [(String, String)] = [],
        body: String = ""
    ) throws -> HTTPAnswer {
        try HTTPClient(port: port, host: host).request(method, path, headers: headers, body: Array(body.utf8))
    }

    /// Returns the response of the sign-in server.
    func post(_ path: String, _ json: String, headers: [(String, String)] = []) throws -> HTTPAnswer {
        try HTTPClient(port: authPort).request(
            "POST",
            "\(path)?key=example",
            headers: [("Content-Type", "application/json")] + headers,
            body: Array(json.utf8)
        )
    }

    /// Visits the app with a mock of the SDK. All other hosts are unreachable.
    func visit(_ browser: Browser, hasSDK: Bool = true, _ steps: [Visit.Step]) throws -> VisitedPage {
        let settings = try request("/config.js").text
        guard let sdk = settings.split(separator: "sdkFolder = '").last?.split(separator: "'").first else {
            throw ServerFailure(description: "config.js has no sdkFolder: \(settings)")
        }
        var visit = Visit(url: "http://127.0.0.1:\(port)/", linkScheme: "", steps: steps)
        let module = "\(RunningServer.packageFolder)/Tests/IntegrationTests/Support/firebase-auth.js"
        visit.respond =
            hasSDK
            ? [
                "\(sdk)/firebase-app.js": "export const initializeApp = (options) => ({ options });",
                "\(sdk)/firebase-auth.js": readFile(module),
            ] : [:]
        return try browser.visit(visit)
    }
}
