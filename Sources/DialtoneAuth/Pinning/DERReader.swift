/// A reader of the elements of a DER encoding (ASN.1, X.690), in order.
struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case sequence = 0x30
        /// Explicitly tagged with 0, such as a certificate's version.
        case version = 0xa0
    }

    /// An element.
    struct Element {
        let contents: ArraySlice<UInt8>
        /// Tag, length and contents.
        let whole: ArraySlice<UInt8>

        /// Returns a reader of the elements in the contents.
        var reader: DERReader { DERReader(contents) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns whether the next element has this tag.
    func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// Reads the next element; returns nil if it has another tag or is not valid DER.
    mutating func read(_ tag: Tag) -> Element? {
        var remaining = rest
        guard remaining.popFirst() == tag.rawValue, let first = remaining.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // Three bytes suffice for 16 MiB, which is more than any certificate has and fits every `Int`.
            let count = Int(first & 0x7f)
            guard (1...3).contains(count), remaining.count >= count, remaining.first != 0 else { return nil }
            length = remaining.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            remaining = remaining.dropFirst(count)
            guard length >= 0x80 else { return nil }
        }
        guard remaining.count >= length else { return nil }
        let contents = remaining.prefix(length)
        let element = Element(contents: contents, whole: rest[rest.startIndex..<contents.endIndex])
        rest = rest[contents.endIndex...]
        return element
    }
}
