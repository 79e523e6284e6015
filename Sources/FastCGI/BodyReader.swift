import CFastCGI

/// A reader of a request's body from libfcgi's input stream.
struct BodyReader {
    let stream: UnsafeMutablePointer<FCGX_Stream>
    let limits: ServerConfiguration

    /// Reads the body to the stream's end. Returns nil if the connection failed or was too slow.
    ///
    /// Only after the stream was read to its end is the connection at the start of the next request. Otherwise, the
    /// rest of a body could be parsed as a request (request smuggling).
    func read(announced: Int?) -> Request.Body? {
        if let announced, announced > limits.maxBodyBytes { return .tooLarge }
        if announced ?? 0 == 0 {
            let byte = FCGX_GetChar(stream)
            if byte < 0 { return FCGX_GetError(stream) == 0 ? .bytes([]) : nil }
            FCGX_UnGetChar(byte, stream)
        }
        let expected = announced ?? limits.maxBodyBytes
        var isLate = false
        // One byte more than expected, so that the read reaches the stream's end.
        let bytes = [UInt8](unsafeUninitializedCapacity: expected + 1) { buffer, count in
            count = read(into: UnsafeMutableRawBufferPointer(buffer), isLate: &isLate)
        }
        if bytes.count > expected { return .tooLarge }
        if isLate || FCGX_GetError(stream) != 0 { return nil }
        return announced.map { $0 == bytes.count } ?? true ? .bytes(bytes) : .incomplete
    }

    /// Fills the buffer up to the stream's end, with one read from the connection at a time. One deadline covers all
    /// reads, so a slow POST attack cannot hold the thread for one timeout per byte.
    private func read(into buffer: UnsafeMutableRawBufferPointer, isLate: inout Bool) -> Int {
        var deadline: ContinuousClock.Instant?
        var count = 0
        while count < buffer.count {
            let ready = stream.pointee.readyBytes
            let wanted = min(max(ready, 1), buffer.count - count)
            let got = FCGX_GetStr(
                buffer.baseAddress?.advanced(by: count).assumingMemoryBound(to: CChar.self),
                Int32(wanted),
                stream
            )
            guard got > 0 else { break }
            count += Int(got)
            if ready == 0 {
                if let deadline, deadline < .now {
                    isLate = true
                    break
                }
                deadline = deadline ?? .now + limits.ioTimeout
            }
        }
        return count
    }
}
