import Glibc
import Processes
import TestServers

/// Everything that `make install` installs except the program, in a temporary folder.
final class Installation: Sendable {
    let folder: TemporaryFolder
    private let variables: [String]

    /// Installs into the folder, as for a package.
    static func staged() throws -> Installation {
        let folder = try TemporaryFolder(prefix: "dialtone-install")
        return try Installation(folder, ["DESTDIR=\(folder.path)"])
    }

    /// Installs with prefixes inside the folder, and with a program that does nothing at the path in the units.
    static func prefixed() throws -> Installation {
        let folder = try TemporaryFolder(prefix: "dialtone-install")
        let installation = try Installation(folder, ["PREFIX=\(folder.path)/usr", "SYSCONFDIR=\(folder.path)/etc"])
        try mustSucceed("install", ["-D", "-m", "755", "/dev/null", folder.path(of: "usr/bin/dialtone")])
        return installation
    }

    private init(_ folder: TemporaryFolder, _ variables: [String]) throws {
        self.folder = folder
        self.variables = variables
        try install()
    }

    /// Runs `make install-files`. Further calls run it again.
    func install() throws {
        // Variables of a `make test` around this test, such as PREFIX, must not reach the inner make.
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        try mustSucceed(
            "make",
            ["-s", "-C", Checkout.folder, "install-files"] + variables,
            environment: ["PATH": path]
        )
    }

    func path(of name: String) -> String { folder.path(of: name) }
    func read(_ name: String) -> String { folder.read(name) }

    /// Returns the sorted names of all files, relative to the folder.
    func files() throws -> [String] {
        let found = try mustSucceed("find", [folder.path, "-type", "f", "-printf", "%P\n"])
        return found.output.split(separator: "\n").map(String.init).sorted()
    }
}

/// The locations of the files under test.
enum Checkout {
    /// The package's folder.
    static let folder = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }

    /// The program that was built together with this test.
    static let program: String = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        let runner = String(decoding: path.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return runner.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/dialtone"
    }()
}

/// Runs a program, which must succeed.
@discardableResult
func mustSucceed(
    _ program: String,
    _ arguments: [String],
    environment: [String: String]? = nil
) throws -> FinishedProcess {
    let finished = try FinishedProcess.run(program, arguments, environment: environment)
    guard finished.status.isSuccess else {
        throw ServerFailure(description: "\(program) \(arguments): \(finished.output) \(finished.errors)")
    }
    return finished
}
