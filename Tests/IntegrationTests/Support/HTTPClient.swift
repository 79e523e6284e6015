import Encodings
import Glibc

/// A response as received.
struct HTTPAnswer {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty if it is not one.
    var json: JSONObject {
        guard case .object(let object) = try? JSONValue.parse(body) else { return JSONObject() }
        return object
    }

    /// The text of a member.
    subscript(name: String) -> String? {
        guard case .string(let text) = json[name] else { return nil }
        return text
    }

    /// The part of `error.message` before any detail.
    var errorCode: String? {
        errorMessage.map { $0.split(separator: " : ", maxSplits: 1).first.map(String.init) ?? $0 }
    }

    /// `error.message` of the protocol's envelope.
    var errorMessage: String? {
        guard case .object(let error) = json["error"], case .string(let text) = error["message"] else { return nil }
        return text
    }
}

/// A client that sends exactly the bytes of a test, over a separate connection.
struct HTTPClient {
    let port: UInt16
    /// The client's own address. All of 127.0.0.0/8 is this machine.
    var sourceAddress = "127.0.0.1"
    /// The server's name in the `Host` header.
    var host = "localhost"

    struct Failure: Error {
        let step: String
    }

    func request(
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: [UInt8] = []
    ) throws -> HTTPAnswer {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if !body.isEmpty || method == "POST" || method == "PATCH" { head += "Content-Length: \(body.count)\r\n" }
        return try exchange(Array((head + "\r\n").utf8) + body)
    }

    /// Sends raw bytes, and reads until the server closes the connection.
    func exchange(_ bytes: [UInt8]) throws -> HTTPAnswer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(step: "socket") }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if sourceAddress != "127.0.0.1" {
            guard withAddress(sourceAddress, 0, { bind(descriptor, $0, $1) }) == 0 else { throw Failure(step: "bind") }
        }
        guard withAddress("127.0.0.1", port, { connect(descriptor, $0, $1) }) == 0 else {
            throw Failure(step: "connect")
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server may respond and close before it has read everything.
            if count <= 0 { break }
            rest = rest.dropFirst(count)
        }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { break }
            received.append(contentsOf: chunk[..<count])
        }
        return try Self.parse(received)
    }

    private static func parse(_ bytes: [UInt8]) throws -> HTTPAnswer {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
            throw Failure(step: "read an answer")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Failure(step: "read a status line")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
        }
        return HTTPAnswer(status: status, headers: headers, body: Array(bytes[(end + 4)...]))
    }

    private func withAddress(
        _ text: String,
        _ port: UInt16,
        _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, size) }
        }
    }
}
