import FastCGI
import Glibc

/// The path of a socket in a temporary folder, which is removed with the value.
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
