/// HTML with slots, parsed once.
struct Template: Sendable {
    private enum Part {
        case literal([UInt8])
        case slot(Slot)
    }

    private let parts: [Part]

    /// Parses a file.
    ///
    /// - Parameter file: an embedded file. An unknown ``Slot`` name in it is a programming error, which every test of
    ///   the file detects.
    init(_ file: [UInt8]) {
        var parts: [Part] = []
        for piece in String(decoding: file, as: UTF8.self).split(separator: "{{", omittingEmptySubsequences: false) {
            guard !parts.isEmpty else {
                parts.append(.literal(Array(piece.utf8)))
                continue
            }
            let halves = piece.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let slot = Slot(rawValue: String(halves[0])) else {
                preconditionFailure("a template slot without a name: \(piece.prefix(40))")
            }
            parts.append(.slot(slot))
            parts.append(.literal(Array(halves[1].utf8)))
        }
        self.parts = parts
    }

    /// Returns the document with its slots filled.
    func render(_ fill: (Slot) -> Markup) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32_768)
        for part in parts {
            switch part {
            case .literal(let literal): bytes.append(contentsOf: literal)
            case .slot(let slot): bytes.append(contentsOf: fill(slot).bytes)
            }
        }
        return bytes
    }
}
