internal import CNumberingData
import Synchronization

/// The numbering plans of the world's regions: facts as text, in the form of the file `numbering.tsv`.
///
/// The first lines are comments. Then follows a line with the version of the form, the version of the data and their
/// date; then the regions (``RegionFacts``). Only the places of the regions are read at first. A calling code's plan is
/// read when the first number needs it.
public final class NumberingData: Sendable {
    /// The version of libphonenumber's metadata that the facts come from, such as `9.0.43`.
    public let version: String
    /// The date of the version, such as `2026-11-06`.
    public let date: String

    private let text: NumberingText
    /// Where the regions of each calling code are, in the data's order.
    private let places: [Int: [Range<Int>]]
    private let callingCodes: [Region: Int]
    private let plans = Mutex<[Int: NumberingPlan]>([:])
    private let list = Mutex<[DialedRegion]?>(nil)

    /// The data of this release. They take no memory of their own: they are a part of the program.
    public static let builtIn: NumberingData = {
        let bytes = UnsafeBufferPointer(start: cnumbering_data(), count: cnumbering_data_size())
        do {
            return try NumberingData(NumberingText(of: bytes))
        } catch {
            preconditionFailure("the built-in numbering data: \(error)")
        }
    }()

    /// Reads the content of a data file completely, so that no error is found later, and compares it with the data of
    /// this release: calling codes are not given back, so a file without one of them is incomplete.
    public convenience init(file: [UInt8]) throws(NumberingDataError) {
        try self.init(NumberingText(copying: file))
        for code in Self.builtIn.places.keys.sorted() where places[code] == nil {
            throw .callingCodeMissing(code)
        }
        for code in places.keys.sorted() {
            let mainRegions = try facts(code).count { $0.isMain }
            guard mainRegions == 1 || mainRegions == 0 && places[code]?.count == 1,
                !places.keys.contains(where: { $0 != code && "\($0)".hasPrefix("\(code)") })
            else { throw .malformed("+\(code)") }
        }
        try checkExamples()
    }

    private init(_ text: NumberingText) throws(NumberingDataError) {
        self.text = text
        var places: [Int: [Range<Int>]] = [:]
        var callingCodes: [Region: Int] = [:]
        var header: [Substring]?
        // Where the present region begins, and its calling code.
        var current: (start: Int, callingCode: Int)?
        var place = 0
        let bytes = text.bytes
        // The last line shows that nothing was cut off.
        guard bytes.suffix(Self.end.utf8CodeUnitCount).elementsEqual(Self.end.description.utf8) else {
            throw .notNumberingData
        }
        let last = bytes.count - Self.end.utf8CodeUnitCount + 1
        while place < last {
            let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            if header == nil {
                let line = text.string(place..<end)
                if !line.hasPrefix("#") { header = line.split(separator: "\t") }
            } else if bytes[place] == UInt8(ascii: "+") {
                let values = text.string(place..<end).dropFirst().split(separator: "\t")
                guard values.count >= 2, let code = Int(values[0]), let region = Region(String(values[1])) else {
                    throw .malformed(text.string(place..<end))
                }
                if let current { places[current.callingCode, default: []].append(current.start..<place) }
                current = (place, code)
                if region != .nonGeographic { callingCodes[region] = code }
            }
            place = end + 1
        }
        guard let header, header.count == 4, header[0] == Self.formName, header[1] == Self.formVersion,
            Self.isDate(header[3])
        else { throw .notNumberingData }
        if let current { places[current.callingCode, default: []].append(current.start..<last) }
        guard callingCodes.count >= Self.fewestRegions else { throw .incomplete(regions: callingCodes.count) }
        version = String(header[2])
        date = String(header[3])
        self.places = places
        self.callingCodes = callingCodes
    }

    static let formName = "dialtone-numbering"
    static let formVersion = "1"
    static let end: StaticString = "\nend\n"
    private static let fewestRegions = 200

    static func isDate(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [4, 2, 2]
            && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
            && ("01"..."12").contains(parts[1]) && ("01"..."31").contains(parts[2])
    }

    /// Returns the calling code with which digits begin; nil if it is not assigned. No calling code is the beginning of
    /// another.
    func callingCode(of digits: some Collection<UInt8>) -> Int? {
        var code = 0
        for digit in digits.prefix(3) {
            code = code * 10 + Int(digit)
            if code == 0 { return nil }
            if places[code] != nil { return code }
        }
        return nil
    }

    /// Returns the calling code of a region; nil if the data do not have the region.
    func callingCode(of region: Region) -> Int? { callingCodes[region] }

    /// Returns the plan of a calling code that the data have.
    func plan(_ callingCode: Int) -> NumberingPlan {
        if let plan = plans.withLock({ $0[callingCode] }) { return plan }
        do {
            let plan = try readPlan(callingCode)
            return plans.withLock { plans in
                let kept = plans[callingCode] ?? plan
                plans[callingCode] = kept
                return kept
            }
        } catch {
            // Files are read completely before they are used, and a test reads the built-in data completely.
            preconditionFailure("+\(callingCode): \(error)")
        }
    }

    private func readPlan(_ callingCode: Int) throws(NumberingDataError) -> NumberingPlan {
        try NumberingPlan(facts(callingCode))
    }

    /// Returns the facts about the regions of a calling code, of which the main region is first.
    private func facts(_ callingCode: Int) throws(NumberingDataError) -> [RegionFacts] {
        var facts: [RegionFacts] = []
        for place in places[callingCode] ?? [] {
            let region = try RegionFacts(lines: text.string(place))
            facts.insert(region, at: region.isMain ? 0 : facts.count)
        }
        return facts
    }

    /// The geographic regions, sorted by code. The first use takes a few milliseconds.
    public var regions: [DialedRegion] {
        list.withLock { list in
            if let list { return list }
            let regions = places.keys.flatMap { code -> [DialedRegion] in
                guard let facts = try? facts(code), let main = facts.first else { return [] }
                let formats = try? NumberFormats(main.formats)
                return facts.compactMap { DialedRegion($0, mainRegion: main.region, formats) }
            }.sorted { $0.region.description < $1.region.description }
            list = regions
            return regions
        }
    }

    /// Parses all example numbers.
    /// - Throws: ``NumberingDataError`` for the first that the data do not call valid.
    private func checkExamples() throws(NumberingDataError) {
        for code in places.keys.sorted() {
            let plan = try readPlan(code)
            for (facts, region) in zip(try facts(code), plan.regions) {
                for example in facts.descriptions.map(\.example) where !example.isEmpty {
                    let digits = example.utf8.map { $0 &- 0x30 }
                    // A few examples can be dialed only within their region.
                    let isDialedFromAbroad = plan.mainRegion.lengths.contains(digits.count)
                    guard region.type(of: digits) != nil,
                        !isDialedFromAbroad || (try? read(Digits.of(UInt64(code)) + digits).get())?.isValid == true
                    else { throw .exampleInvalid(region: facts.region, example: example) }
                }
            }
        }
    }

    /// The example numbers of all regions and types in international form.
    var examples: [String] {
        places.keys.sorted().flatMap { code in
            ((try? facts(code)) ?? []).flatMap(\.descriptions).map(\.example).filter { !$0.isEmpty }.map {
                "+\(code)\($0)"
            }
        }
    }

    /// The whole file.
    public var file: [UInt8] { Array(text.bytes) }
}

/// The text of numbering data: a part of the program, or a file's content.
private final class NumberingText: @unchecked Sendable {
    // Nothing writes to the bytes after `init`.
    let bytes: UnsafeBufferPointer<UInt8>
    private let isOwned: Bool

    init(of bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isOwned = false
    }

    init(copying content: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: content.count)
        _ = copy.initialize(from: content)
        bytes = UnsafeBufferPointer(copy)
        isOwned = true
    }

    deinit {
        if isOwned { bytes.deallocate() }
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

/// Why numbering data cannot be used.
public enum NumberingDataError: Error, Equatable {
    /// Neither a data file of this version of Dialtone nor libphonenumber's XML.
    case notNumberingData
    /// A line or element that cannot be read.
    case malformed(String)
    /// A pattern with syntax that is not supported.
    case pattern(String)
    /// An XML file, whose version and date must be given.
    case releaseNeeded
    /// Fewer regions than the world has.
    case incomplete(regions: Int)
    /// No region has a calling code of this release's data.
    case callingCodeMissing(Int)
    /// An example number that the data themselves call invalid.
    case exampleInvalid(region: String, example: String)
}

extension NumberingDataError: CustomStringConvertible {
    /// One line for the operator.
    public var description: String {
        switch self {
        case .notNumberingData: "neither numbering data of Dialtone nor a PhoneNumberMetadata.xml"
        case .malformed(let text): "\"\(text)\" cannot be read"
        case .pattern(let text): "the pattern \"\(text)\" is malformed or not supported"
        case .releaseNeeded: "the XML form does not state its version and date: use --release and --date"
        case .incomplete(let regions): "only \(regions) regions: the file is incomplete"
        case .callingCodeMissing(let code): "no region has +\(code): the file is incomplete"
        case .exampleInvalid(let region, let example):
            "the example number \(example) of \(region) does not match the data"
        }
    }
}
