import Processes
import Testing
import TestServers

@Suite("The runtime packages") struct RuntimePackagesTests {
    /// Returns the files of the directly and indirectly linked libraries, except those of the Swift toolchain, which a
    /// release build links statically.
    private func libraries() throws -> [String] {
        let mapped = try mustSucceed("ldd", [Checkout.program]).output
        #expect(!mapped.contains("not found"), "\(mapped)")
        let paths = mapped.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("/") }.map(String.init)
        }
        return paths.filter { !$0.contains("/swift/linux/") }
    }

    /// Returns the Debian package of a file, without the architecture.
    private func package(of path: String) throws -> String {
        let file = try mustSucceed("realpath", [path]).output.split(separator: "\n")[0]
        // Some packages list their files under /lib, which is a link to /usr/lib.
        let pattern = "*" + (file.hasPrefix("/usr") ? file.dropFirst(4) : file)
        let owner = try mustSucceed("dpkg-query", ["--search", pattern]).output
        return owner.split(separator: ":").first.map(String.init) ?? ""
    }

    @Test("every mapped library belongs to a Debian package")
    func libraryOwners() throws {
        let libraries = try libraries()
        #expect(libraries.contains { $0.contains("libcrypto.so") })
        for library in libraries { #expect(try !package(of: library).isEmpty, "\(library)") }
    }

    @Test(
        "make runtime-packages lists exactly the packages of the direct libraries, and no development package"
    )
    func list() throws {
        let header = try mustSucceed("readelf", ["--dynamic", "--wide", Checkout.program]).output
        let asked = header.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        let names = asked.compactMap { $0.split(separator: "[").last?.split(separator: "]").first.map(String.init) }
        let direct = try libraries().filter { path in names.contains { path.hasSuffix("/\($0)") } }
        #expect(!direct.isEmpty)
        let listed = try mustSucceed("make", ["-s", "-C", Checkout.folder, "runtime-packages"]).output
        let packages = Set(listed.split(whereSeparator: \.isWhitespace).map(String.init))
        // These are loaded with the first request or text that needs them.
        let loaded = ["libcurl.so.4": "libcurl4", "libidn2.so.0": "libidn2-0"]
        for (library, package) in loaded {
            let files = try mustSucceed("find", ["/usr/lib", "-name", library]).output.split(separator: "\n")
            #expect(try files.map { try self.package(of: String($0)) } == [package])
        }
        // Libraries of the Swift runtime, which only a release build contains.
        let ofRuntime = ["libgcc-s1", "libstdc++6"]
        let others = ["ca-certificates", "nginx", "redis-server"] + loaded.values + ofRuntime
        let libraryPackages = packages.subtracting(others)
        #expect(try libraryPackages == Set(direct.map { try package(of: $0) }))
    }

    @Test("the systemd guide lists the same packages")
    func guide() throws {
        let listed = try mustSucceed("make", ["-s", "-C", Checkout.folder, "runtime-packages"]).output
        let line = listed.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let guide = readFile("\(Checkout.folder)/systemd/README.md")
        #expect(guide.splitted(by: "\\\n    ").joined().contains("apt-get install \(line)\n"))
    }
}
