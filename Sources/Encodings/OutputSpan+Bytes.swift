/// Writing of bytes directly into an array's storage, which must have the capacity.
extension OutputSpan<UInt8> {
    /// Appends these bytes.
    public mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { memory, count in
            precondition(bytes.count <= memory.count - count)
            guard let start = memory.baseAddress, let source = bytes.baseAddress else { return }
            (start + count).update(from: source, count: bytes.count)
            count += bytes.count
        }
    }

    /// Appends a literal.
    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(copying: $0) }
    }

    /// Appends a number in decimal: ``Swift/Int64/decimalByteCount`` bytes.
    public mutating func appendDecimal(_ number: Int64) {
        // Most numbers are the lengths of short texts.
        if (0..<100).contains(number) {
            let (tens, ones) = UInt8(number).quotientAndRemainder(dividingBy: 10)
            if tens > 0 { append(UInt8(ascii: "0") + tens) }
            return append(UInt8(ascii: "0") + ones)
        }
        withUnsafeMutableBufferPointer { memory, count in
            let end = count + number.decimalByteCount
            precondition(end <= memory.count)
            if number < 0 { memory[count] = UInt8(ascii: "-") }
            var place = end
            var rest = number.magnitude
            repeat {
                place -= 1
                memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            count = end
        }
    }
}

extension String {
    /// Creates a text of this many bytes of UTF-8, which `write` appends, in a single allocation.
    public init(byteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        self.init(unsafeUninitializedCapacity: byteCount) { buffer in
            var text = OutputSpan(buffer: buffer, initializedCount: 0)
            write(&text)
            return text.finalize(for: buffer)
        }
    }
}

extension Int64 {
    /// The number's length in decimal, including the sign.
    public var decimalByteCount: Int {
        if (0..<100).contains(self) { return self < 10 ? 1 : 2 }
        var count = self < 0 ? 2 : 1
        var rest = magnitude / 10
        while rest > 0 {
            count += 1
            rest /= 10
        }
        return count
    }
}
