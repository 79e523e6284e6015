import Glibc

/// A minimal HTTP/1.1 client that can also send invalid requests.
enum HTTP {
    /// A parsed response.
    struct Answer {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: String

        /// Returns all values of a header, whose name is given in lowercase.
        func all(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
    }

    /// Sends a request with its body. Host and Connection are added to the head.
    static func send(
        _ firstLine: String,
        _ headers: [String] = [],
        body: String = "",
        host: String = "auth.example.com",
        to port: UInt16
    ) -> Answer? {
        let head = [firstLine, "Host: \(host)", "Connection: close"] + headers
        return send(raw: head.map { $0 + "\r\n" }.joined() + "\r\n" + body, to: port)
    }

    /// Posts a JSON body with its length.
    static func post(_ target: String, _ json: String, to port: UInt16) -> Answer? {
        let headers = ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"]
        return send("POST \(target) HTTP/1.1", headers, body: json, to: port)
    }

    /// Sends exactly these bytes, and returns the response; nil without one.
    static func send(raw text: String, to port: UInt16) -> Answer? {
        guard let descriptor = connect(to: port) else { return nil }
        defer { close(descriptor) }
        // A server that rejects a body closes the connection before it has read the body.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
            text += String(decoding: chunk[..<count], as: UTF8.self)
            // After an error, nginx keeps the connection open for seconds, so that the client can read the response.
            if let answer = Answer(text), answer.isComplete { return answer }
        }
        return Answer(text)
    }

    /// Connects and sends these bytes. The caller must close the connection.
    static func open(_ text: String, to port: UInt16) -> Int32? {
        guard let descriptor = connect(to: port) else { return nil }
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return descriptor
    }

    static func canConnect(to port: UInt16) -> Bool {
        guard let descriptor = connect(to: port) else { return false }
        close(descriptor)
        return true
    }

    /// Whether this machine has the address ::1.
    static let hasIPv6Loopback: Bool = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }()

    private static func connect(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}

extension HTTP.Answer {
    fileprivate var isComplete: Bool {
        all("content-length").first.flatMap { Int($0) }.map { $0 <= body.utf8.count } ?? false
    }

    fileprivate init?(_ text: String) {
        let parts = text.splitted(by: "\r\n\r\n")
        let lines = parts[0].splitted(by: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (line[..<colon].lowercased(), String(line[colon...].dropFirst(2)))
        }
        body = parts.dropFirst().joined(separator: "\r\n\r\n")
    }
}
