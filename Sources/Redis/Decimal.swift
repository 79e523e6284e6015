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
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var unit: UInt64 = 1
        while magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(magnitude / unit % 10))
            unit /= 10
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
