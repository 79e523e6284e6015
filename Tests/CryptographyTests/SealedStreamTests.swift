import Cryptography
import Testing

@Suite struct SealedStreamTests {
    private static let key = [UInt8](repeating: 7, count: SealedStream.keyByteCount)
    private static let header = Array("header".utf8)
    private static let chunks: [[UInt8]] = [[1, 2, 3], [], [4], [1, 2, 3]]

    private func stream(_ key: [UInt8] = key, _ header: [UInt8] = header) throws -> SealedStream {
        try #require(SealedStream(key: key, header: header))
    }

    private func sealed() throws -> [[UInt8]] {
        var stream = try stream()
        return try Self.chunks.enumerated().map { index, chunk in
            try stream.seal(chunk, isLast: index == Self.chunks.count - 1)
        }
    }

    /// Opens chunks in order, the last one as such, up to the first that does not open.
    private func open(_ sealed: [[UInt8]], _ stream: SealedStream) -> [[UInt8]] {
        var (stream, opened) = (stream, [[UInt8]]())
        for (index, chunk) in sealed.enumerated() {
            guard let chunk = stream.open(chunk, isLast: index == sealed.count - 1) else { break }
            opened.append(chunk)
        }
        return opened
    }

    @Test("chunks open in their order, and equal chunks look different")
    func roundTrip() throws {
        let sealed = try sealed()
        #expect(sealed[0] != sealed[3])
        #expect(open(sealed, try stream()) == Self.chunks)
    }

    @Test("a chunk does not open after others were left out, repeated, exchanged or changed, nor at a truncated end")
    func changed() throws {
        let sealed = try sealed()
        var flipped = sealed
        flipped[2][0] ^= 1
        for (changed, opened) in [
            ([sealed[0], sealed[2], sealed[3]], 1), ([sealed[0], sealed[0]] + sealed[1...], 1),
            ([sealed[1], sealed[0]] + sealed[2...], 0), (Array(sealed.dropLast()), 2), (sealed + [sealed[3]], 3),
            (flipped, 2),
        ] { #expect(open(changed, try stream()).count == opened) }
    }

    @Test("nothing opens with another key or another header, and a key of another length is refused")
    func otherKey() throws {
        let sealed = try sealed()
        #expect(open(sealed, try stream([UInt8](repeating: 8, count: 32))).isEmpty)
        #expect(open(sealed, try stream(Self.key, Array("Header".utf8))).isEmpty)
        #expect(SealedStream(key: [1], header: []) == nil)
    }
}
