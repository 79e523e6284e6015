/// A part of a pattern. A set of digits has one bit for each digit.
indirect enum DigitPatternNode {
    case digit(UInt16)
    case end
    case sequence([DigitPatternNode])
    case alternatives([DigitPatternNode])
    case group(Int, DigitPatternNode)
    case times(DigitPatternNode, Int, Int)

    /// The digits with which a match can begin; nil if it can be empty.
    var first: UInt16? {
        switch self {
        case .digit(let set): return set
        case .end: return nil
        case .group(_, let node): return node.first
        case .times(let node, let low, _): return low > 0 ? node.first : nil
        case .alternatives(let nodes):
            var union: UInt16 = 0
            for node in nodes {
                guard let set = node.first else { return nil }
                union |= set
            }
            return union
        case .sequence(let nodes):
            var union: UInt16 = 0
            for node in nodes {
                if let set = node.first { return union | set }
                guard case .times(let optional, 0, _) = node, let set = optional.first else { return nil }
                union |= set
            }
            return nil
        }
    }
}

/// A parser of patterns.
struct DigitPatternParser {
    private let text: [UInt8]
    private var next = 0
    private(set) var groupCount = 0
    private var depth = 0

    /// Real patterns nest six groups. The parser and the matcher call themselves, on threads with small stacks.
    private static let mostDepth = 16

    init(_ text: [UInt8]) {
        self.text = text
    }

    mutating func parse() throws(NumberingDataError) -> DigitPatternNode {
        let node = try alternatives()
        guard next == text.count else { throw unsupported }
        return node
    }

    private var unsupported: NumberingDataError { .pattern(String(decoding: text, as: UTF8.self)) }

    private var byte: UInt8? { next < text.count ? text[next] : nil }

    private mutating func skip(_ literal: StaticString) -> Bool {
        let length = literal.utf8CodeUnitCount
        guard next + length <= text.count else { return false }
        for place in 0..<length where text[next + place] != literal.utf8Start[place] { return false }
        next += length
        return true
    }

    private mutating func alternatives() throws(NumberingDataError) -> DigitPatternNode {
        var nodes = [try sequence()]
        while skip("|") { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(NumberingDataError) -> DigitPatternNode {
        var nodes: [DigitPatternNode] = []
        while let byte, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            nodes.append(try quantified(atom()))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom() throws(NumberingDataError) -> DigitPatternNode {
        if skip("$") { return .end }
        if skip("\\d") { return .digit(0x3FF) }
        if skip("[") { return .digit(try set()) }
        if skip("(?:") { return try group() }
        if skip("(") {
            groupCount += 1
            let number = groupCount
            guard number <= DigitPattern.mostGroups else { throw unsupported }
            return .group(number, try group())
        }
        return .digit(1 << UInt16(try digit()))
    }

    /// Parses the rest of a group.
    private mutating func group() throws(NumberingDataError) -> DigitPatternNode {
        guard depth < Self.mostDepth else { throw unsupported }
        depth += 1
        let node = try alternatives()
        depth -= 1
        guard skip(")") else { throw unsupported }
        return node
    }

    private mutating func quantified(_ node: DigitPatternNode) throws(NumberingDataError) -> DigitPatternNode {
        if skip("?") { return .times(node, 0, 1) }
        guard skip("{") else { return node }
        let low = try number()
        let high = skip(",") ? try number() : low
        guard skip("}"), low <= high, high > 0 else { throw unsupported }
        return .times(node, low, high)
    }

    private mutating func set() throws(NumberingDataError) -> UInt16 {
        var set: UInt16 = 0
        while !skip("]") {
            if skip("\\d") {
                set = 0x3FF
                continue
            }
            let low = try digit()
            let high = skip("-") ? try digit() : low
            guard low <= high else { throw unsupported }
            for digit in low...high { set |= 1 << UInt16(digit) }
        }
        return set
    }

    /// Parses a number of times, up to 31.
    private mutating func number() throws(NumberingDataError) -> Int {
        var number = try digit()
        while let byte, (0x30...0x39).contains(byte), number < 32 { number = try number * 10 + digit() }
        guard number < 32 else { throw unsupported }
        return number
    }

    private mutating func digit() throws(NumberingDataError) -> Int {
        guard let byte, (0x30...0x39).contains(byte) else { throw unsupported }
        next += 1
        return Int(byte) - 0x30
    }
}
