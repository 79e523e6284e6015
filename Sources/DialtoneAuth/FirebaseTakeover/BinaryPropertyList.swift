internal import Foundation

/// A binary property list (`bplist00`) whose objects are read individually, by number.
///
/// Foundation's readers build all objects of a list, needed or not, and support the references of archives on Apple's
/// platforms only. This reader reads only the requested objects. It is not recursive, and it bounds what it reads of
/// each object. So a hostile list costs no more than a well-formed one, however deep or cyclic it is.
struct BinaryPropertyList {
    /// The number of an object.
    typealias Reference = Int

    /// The largest size of a list, in bytes. Archives of the Firebase SDK have a few thousand bytes.
    static let mostBytes = 1 << 20
    /// The longest text that is read, in UTF-16 code units or ASCII bytes.
    static let longestText = 1 << 14
    /// The largest dictionary that is searched, in members.
    private static let mostMembers = 1 << 10

    private enum Kind: UInt8 {
        case ascii = 0x5
        case utf16 = 0x6
        case reference = 0x8
        case array = 0xA
        case dictionary = 0xD
    }

    private let bytes: [UInt8]
    /// The offset of the object table; all objects end before it.
    private let table: Int
    private let offsetBytes: Int
    private let referenceBytes: Int
    private let count: Int
    /// The outermost object.
    let top: Reference

    /// Opens a list; returns nil if the data is not a binary property list.
    init?(_ data: Data) {
        let trailerBytes = 32
        let magic = Array("bplist00".utf8)
        guard (magic.count + trailerBytes...Self.mostBytes).contains(data.count), data.starts(with: magic) else {
            return nil
        }
        bytes = Array(data)
        let trailer = bytes.count - trailerBytes
        offsetBytes = Int(bytes[trailer + 6])
        referenceBytes = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetBytes), (1...8).contains(referenceBytes),
            let count = Self.integer(bytes, at: trailer + 8, bytes: 8, below: Self.mostBytes),
            let top = Self.integer(bytes, at: trailer + 16, bytes: 8, below: count),
            let table = Self.integer(bytes, at: trailer + 24, bytes: 8, below: trailer),
            table >= magic.count, count * offsetBytes <= trailer - table
        else { return nil }
        self.count = count
        self.top = top
        self.table = table
    }

    /// Returns a text; nil for objects of other kinds, and for texts that are too long.
    func text(_ reference: Reference?) -> String? {
        guard let content = content(reference) else { return nil }
        guard content.count <= Self.longestText else { return nil }
        switch content.kind {
        case .ascii:
            let text = bytes[content.start..<content.start + content.count]
            return text.allSatisfy { $0 < 0x80 } ? String(decoding: text, as: UTF8.self) : nil
        case .utf16: return String(decoding: codeUnits(content), as: UTF16.self)
        case .reference, .array, .dictionary: return nil
        }
    }

    /// Returns the number that a reference of an archive (`UID`) contains; nil for objects of other kinds.
    func archivedReference(_ reference: Reference?) -> Int? {
        guard let content = content(reference), content.kind == .reference else { return nil }
        return Self.integer(bytes, at: content.start, bytes: content.count, below: Self.mostBytes)
    }

    /// Returns an element of an array; nil if it does not exist.
    func element(_ index: Int, of reference: Reference?) -> Reference? {
        guard let content = content(reference), content.kind == .array, (0..<content.count).contains(index) else {
            return nil
        }
        return self.reference(at: content.start + index * referenceBytes)
    }

    /// Returns the value of a key in a dictionary; nil if it does not exist.
    func member(_ key: String, of reference: Reference?) -> Reference? {
        guard let content = content(reference), content.kind == .dictionary, content.count <= Self.mostMembers else {
            return nil
        }
        let keys = content.start
        let values = keys + content.count * referenceBytes
        let index = (0..<content.count).first { index in
            isText(self.reference(at: keys + index * referenceBytes), key)
        }
        return index.flatMap { self.reference(at: values + $0 * referenceBytes) }
    }

    // MARK: Bytes

    /// The bytes of an object, which lie within the list.
    private struct Content {
        let kind: Kind
        let start: Int
        /// The number of elements, code units or bytes.
        let count: Int
    }

    private func content(_ reference: Reference?) -> Content? {
        guard let reference, (0..<count).contains(reference),
            let offset = Self.integer(bytes, at: table + reference * offsetBytes, bytes: offsetBytes, below: table),
            let kind = Kind(rawValue: bytes[offset] >> 4)
        else { return nil }
        var start = offset + 1
        var count = Int(bytes[offset] & 0xF)
        if kind == .reference {
            count += 1
        } else if count == 0xF {
            // The count follows, as an integer of 1, 2, 4 or 8 bytes.
            guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else { return nil }
            let countBytes = 1 << Int(bytes[start] & 0xF)
            guard start + 1 + countBytes <= table,
                let long = Self.integer(bytes, at: start + 1, bytes: countBytes, below: Self.mostBytes)
            else { return nil }
            start += 1 + countBytes
            count = long
        }
        let unit =
            switch kind {
            case .ascii, .reference: 1
            case .utf16: 2
            case .array: referenceBytes
            case .dictionary: 2 * referenceBytes
            }
        guard count * unit <= table - start else { return nil }
        return Content(kind: kind, start: start, count: count)
    }

    private func reference(at offset: Int) -> Reference? {
        Self.integer(bytes, at: offset, bytes: referenceBytes, below: count)
    }

    /// Returns whether an object is this text, without reading a text of another length.
    private func isText(_ reference: Reference?, _ text: String) -> Bool {
        guard let content = content(reference), content.count == text.utf16.count else { return false }
        return self.text(reference) == text
    }

    private func codeUnits(_ content: Content) -> [UInt16] {
        (0..<content.count).map { index in
            let at = content.start + 2 * index
            return UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
        }
    }

    /// Reads a big-endian integer; returns nil if it is not below a limit. The bytes must be in the list.
    private static func integer(_ bytes: [UInt8], at offset: Int, bytes width: Int, below limit: Int) -> Int? {
        var value = 0
        for byte in bytes[offset..<offset + width] {
            value = value << 8 | Int(byte)
            // Checked before each shift, so the shift cannot overflow.
            guard value < limit else { return nil }
        }
        return value
    }
}
