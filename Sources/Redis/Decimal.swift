/// How many characters a number has in decimal, its sign among them.
func decimalLength(_ number: Int64) -> Int {
    var length = number < 0 ? 2 : 1
    var rest = number.magnitude / 10
    while rest > 0 {
        length += 1
        rest /= 10
    }
    return length
}

extension [UInt8] {
    /// Appends a number in decimal digits, without going through a `String`.
    mutating func appendDecimal(_ number: Int64) {
        // Most numbers are lengths.
        if (0..<10).contains(number) {
            append(UInt8(ascii: "0") + UInt8(number))
            return
        }
        let most = 20  // the digits of the smallest number, and its sign
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { buffer in
            var start = most
            var rest = number.magnitude
            repeat {
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                start -= 1
                buffer[start] = UInt8(ascii: "-")
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start..<most]))
        }
    }

    /// What precedes the arguments of a command on the wire.
    init(arrayHeaderFor count: Int) {
        self = [UInt8(ascii: "*")]
        appendDecimal(Int64(count))
        append(13)
        append(10)
    }
}
