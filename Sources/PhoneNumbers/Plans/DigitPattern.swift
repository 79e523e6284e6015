/// A regular expression over decimal digits, compiled: the part of the syntax that numbering data use.
///
/// Digits, `\d`, classes such as `[2-57]`, groups `(…)` and `(?:…)`, alternatives `|`, the quantifiers `?`, `{n}` and
/// `{n,m}`, and `$`. The compiled form is a program for a backtracking matcher. An alternative is tried only if it can
/// begin with the next digit, so most numbers match without backtracking.
struct DigitPattern: Sendable {
    /// One instruction: the kind in bits 0 to 2, a set of digits in bits 3 to 12, and the rest above.
    private typealias Instruction = UInt32

    private enum Kind: UInt32 {
        /// A digit of the set.
        case digit
        /// Digits of the set, at least `low` and at most `high`, as many as possible.
        case digits
        /// Continues with the next instruction, or, if this fails, at the target. If the next digit is not in the set,
        /// only at the target.
        case fork
        case jump
        /// Notes the position: group n begins at mark 2n - 2, and ends at mark 2n - 1.
        case mark
        /// The end of the digits.
        case end
        case accept
    }

    /// What part of the digits a pattern must match.
    enum Extent {
        case whole
        /// The first digits.
        case beginning
        /// All digits, or more digits would match at least the beginning.
        case unfinished
    }

    /// The number of groups that a match reports.
    static let mostGroups = 9

    private let program: [Instruction]
    /// The number of groups in round brackets.
    let groupCount: Int

    /// Compiles a pattern.
    init(_ text: some StringProtocol) throws(NumberingDataError) {
        var parser = DigitPatternParser(Array(text.utf8))
        let tree = try parser.parse()
        var program: [Instruction] = []
        Self.compile(tree, to: &program)
        program.append(Kind.accept.rawValue)
        guard program.count < 1 << 15 else { throw .pattern(String(text)) }
        self.program = program
        groupCount = parser.groupCount
    }

    /// Returns whether the pattern matches digits (values from 0 to 9) from a position.
    func matches(_ digits: [UInt8], from start: Int = 0, _ extent: Extent = .whole) -> Bool {
        var match = Match(program: program, digits: digits, extent: extent)
        return match.run(0, start) != nil
    }

    /// Returns where a match of the first digits ends, and the ranges of its groups; nil if there is none.
    func beginning(of digits: [UInt8]) -> (end: Int, groups: [Range<Int>?])? {
        var match = Match(program: program, digits: digits, extent: .beginning)
        match.marks = Array(repeating: -1, count: 2 * Self.mostGroups)
        guard let end = match.run(0, 0) else { return nil }
        let groups = (0..<groupCount).map { group -> Range<Int>? in
            let (low, high) = (match.marks[2 * group], match.marks[2 * group + 1])
            return low >= 0 && high >= low ? low..<high : nil
        }
        return (end, groups)
    }

    private struct Match {
        let program: [Instruction]
        let digits: [UInt8]
        let extent: Extent
        /// Positions; empty if they are not wanted.
        var marks: [Int] = []

        /// Runs the program from an instruction and a position. Returns where the match ends; nil if it fails.
        mutating func run(_ first: Int, _ start: Int) -> Int? {
            var next = first
            var place = start
            while true {
                let instruction = program[next]
                let set = instruction >> 3 & 0x3FF
                let rest = Int(instruction >> 13)
                next += 1
                switch instruction & 7 {
                case Kind.digit.rawValue:
                    guard place < digits.count else { return extent == .unfinished ? place : nil }
                    guard set >> digits[place] & 1 == 1 else { return nil }
                    place += 1
                case Kind.digits.rawValue:
                    let (low, high) = (rest & 31, rest >> 5)
                    let start = place
                    while place - start < high, place < digits.count, set >> digits[place] & 1 == 1 { place += 1 }
                    if place == digits.count, place - start < low, extent == .unfinished { return place }
                    while place - start > low {
                        if let end = run(next, place) { return end }
                        place -= 1
                    }
                    guard place - start == low else { return nil }
                case Kind.fork.rawValue:
                    if place == digits.count || set >> digits[place] & 1 == 1, let end = run(next, place) {
                        return end
                    }
                    next = rest
                case Kind.jump.rawValue:
                    next = rest
                case Kind.mark.rawValue:
                    guard rest < marks.count else { continue }
                    let former = marks[rest]
                    marks[rest] = place
                    if let end = run(next, place) { return end }
                    marks[rest] = former
                    return nil
                case Kind.end.rawValue:
                    guard place == digits.count else { return nil }
                default:
                    return extent == .whole && place < digits.count ? nil : place
                }
            }
        }
    }

    private static func instruction(_ kind: Kind, _ set: UInt16 = 0, _ rest: Int = 0) -> Instruction {
        kind.rawValue | UInt32(set) << 3 | UInt32(rest) << 13
    }

    private static func compile(_ node: DigitPatternNode, to program: inout [Instruction]) {
        switch node {
        case .digit(let set):
            program.append(instruction(.digit, set))
        case .end:
            program.append(instruction(.end))
        case .sequence(let nodes):
            for node in nodes { compile(node, to: &program) }
        case .group(let number, let node):
            program.append(instruction(.mark, 0, 2 * number - 2))
            compile(node, to: &program)
            program.append(instruction(.mark, 0, 2 * number - 1))
        case .alternatives(let nodes):
            var jumps: [Int] = []
            for node in nodes.dropLast() {
                let fork = program.count
                program.append(0)
                compile(node, to: &program)
                jumps.append(program.count)
                program.append(0)
                program[fork] = instruction(.fork, node.first ?? allDigits, program.count)
            }
            if let last = nodes.last { compile(last, to: &program) }
            for jump in jumps { program[jump] = instruction(.jump, 0, program.count) }
        case .times(.digit(let set), let low, let high):
            program.append(instruction(.digits, set, low | high << 5))
        case .times(let node, let low, let high):
            for _ in 0..<low { compile(node, to: &program) }
            var forks: [Int] = []
            for _ in low..<high {
                forks.append(program.count)
                program.append(0)
                compile(node, to: &program)
            }
            for fork in forks { program[fork] = instruction(.fork, node.first ?? allDigits, program.count) }
        }
    }

    private static let allDigits: UInt16 = 0x3FF
}
