import Encodings
import TestServers

/// Random JSON values that a seed determines.
enum RandomJSON {
    private static let numbers = ["0", "-0", "12", "-7.50", "1e9", "2E-3", "123456789012345678901234567890"]

    static func value(depth: Int, _ generator: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(numbers.randomElement(using: &generator) ?? "0")
        case 3: return .string(text(&generator))
        case 4:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1, &generator) }
            )
        default:
            return .object(
                JSONObject(
                    members: (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        (text(&generator), value(depth: depth - 1, &generator))
                    }
                )
            )
        }
    }

    /// Returns scalars of every length in UTF-8, including control characters and characters that must be escaped.
    static func text(_ generator: inout SplitMix) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let limit: UInt32 = [0x23, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &generator) ?? 0x80
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }

    /// Returns texts that distinguish what `==` does not: texts that are canonically equivalent in Unicode.
    static func fingerprint(_ value: JSONValue) -> [String] {
        switch value {
        case .null: ["null"]
        case .bool(let flag): ["bool", String(flag)]
        case .number(let spelling): ["number", spelling]
        case .string(let text): ["string"] + text.unicodeScalars.map { String($0.value) }
        case .array(let elements): ["["] + elements.flatMap(fingerprint) + ["]"]
        case .object(let object):
            ["{"] + object.members.flatMap { fingerprint(.string($0.name)) + fingerprint($0.value) } + ["}"]
        }
    }
}
