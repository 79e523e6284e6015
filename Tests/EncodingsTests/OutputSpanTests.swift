import Encodings
import Testing

@Suite struct OutputSpanTests {
    @Test("numbers are written in decimal", arguments: [0, 9, 10, 99, 100, -1, -10, 1_234_567, .max, .min] as [Int64])
    func decimal(number: Int64) {
        #expect(number.decimalByteCount == String(number).count)
        var bytes = Array("n=".utf8)
        bytes.append(addingCapacity: number.decimalByteCount) { $0.appendDecimal(number) }
        #expect(String(decoding: bytes, as: UTF8.self) == "n=\(number)")
    }

    @Test("bytes are appended to the existing bytes", arguments: [[], [1], [1, 2, 3]] as [[UInt8]])
    func copy(bytes: [UInt8]) {
        var all: [UInt8] = [9]
        all.append(addingCapacity: bytes.count + 1) { all in
            bytes.withUnsafeBufferPointer { all.append(copying: $0) }
            all.append(8)
        }
        #expect(all == [9] + bytes + [8])
    }

    @Test("a text has the appended bytes, however long it is", arguments: ["", "•", String(repeating: "é", count: 40)])
    func text(_ text: String) {
        var copied = text
        copied.withUTF8 { bytes in
            #expect(String(byteCount: bytes.count) { $0.append(copying: bytes) } == text)
        }
    }
}
