internal import DialtoneTexts

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

/// A placeholder in the page's HTML, filled for each response; written `{{name}}` in the files.
enum Slot: String, CaseIterable {
    case tag, direction, title, nonce, state, style, head, content, data, script, module
    case component, exit, ending, action, result
    case workingHeading, workingDetail, doneHeading, doneDetail, returnToApp, cancelledHeading, failedHeading
    case tryAgain, backToApp, cancel, noScript, notLoaded, serverFailed, cancelLink
    case refusedHeading, refusedDetail, refusedReason, refusedCode, resetTitle, newPassword, showPassword
}

extension Language {
    /// Returns the text whose name is that of a slot; empty for slots that each page fills itself.
    func text(in slot: Slot) -> String {
        SharedText(rawValue: slot.rawValue).map(text) ?? PageText(rawValue: slot.rawValue).map(text) ?? ""
    }
}

/// Bytes that are safe in an HTML document: escaped text, or markup of Dialtone's own.
struct Markup {
    let bytes: [UInt8]

    /// Escapes text for use between tags and in quoted attributes.
    init(text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// Escapes a JSON document for a `script` element, so that nothing in it can end the element (HTML § 4.12.1.3).
    init(json: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") {
                bytes.append(contentsOf: "\\u003c".utf8)
            } else {
                bytes.append(byte)
            }
        }
        self.bytes = bytes
    }

    /// Wraps markup, style or script that contains no external input.
    init(own bytes: [UInt8]) {
        self.bytes = bytes
    }
}
