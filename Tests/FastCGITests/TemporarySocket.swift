import FastCGI
import Glibc

/// A path for a socket in a folder of its own; both are removed at the end.
final class TemporarySocket: Sendable {
    let folder: String
    var path: String { folder + "/s.sock" }
    var address: ListenAddress { .unix(path: path) }

    init() {
        var template = Array("/tmp/fastcgi-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("mkdtemp: \(errno)") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }
}
