/// Numbering data, in the form of a release and in that of libphonenumber: whatever is accepted can be used, is written
/// as it was read, and gives each number one spelling.
///
/// The first byte of an input selects the form. The second is the number of digits at the input's end, which
/// are parsed as a phone number.
@c(LLVMFuzzerTestOneInput)
public func fuzzNumbering(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    guard input.count > 2 else { return 0 }
    _ = try? NumberingData(file: input)
    let digits = input[2...].suffix(Int(input[1] % 20)).map { ($0 &- 0x30) % 10 }
    let content = Array(input[2...].dropLast(digits.count))
    if input[0].isMultiple(of: 2) {
        guard let file = try? NumberingDataFile(xml: content, version: "1.0", date: "2026-01-31") else { return 0 }
        let all = String(decoding: file.bytes, as: UTF8.self).split(separator: Character("\n"))
        let lines = all.drop { $0.first == "#" }
        check(lines.dropFirst().dropLast().map { $0 + "\n" }.joined(), digits)
    } else {
        check(String(decoding: content, as: UTF8.self) + "\n", digits)
    }
    return 0
}

private func check(_ lines: String, _ digits: [UInt8]) {
    var regions: [RegionFacts] = []
    for part in lines.split(separator: "\n+") {
        guard let facts = try? RegionFacts(lines: (regions.isEmpty ? "" : "+") + part) else { return }
        let again = try? RegionFacts(lines: facts.lines)
        require(again == facts, "what was written is read as the same")
        regions.append(facts)
    }
    // A plan of its own is much faster to read than the complete data.
    guard !regions.isEmpty, (try? NumberingPlan(regions)) != nil else { return }
    guard let data = try? NumberingData(file: release(and: lines)) else { return }
    require(data.regions.count >= release.count, "no region is lost")
    let numbers = PhoneNumbers(data: data, cacheCapacity: 0)
    for facts in regions {
        let code = Digits.of(UInt64(facts.callingCode))
        for text in [NumberFormats.text(of: digits), "+" + NumberFormats.text(of: code + digits)] {
            _ = try? numbers.read(typed: text, in: Region(facts.region))
            guard let number = try? numbers.parse(text) else { continue }
            require((try? numbers.parse(number.text)) == number, "a number has one spelling")
        }
    }
}

/// The regions of the data that stand in for those of a release: as many as complete data must have.
private let release: [String] = {
    let letters = Array("ABCDEFGH").map(String.init)
    let all = letters.flatMap { first in Array("ABCDEFGHIJKLMNOPQRSTUVWXY").map { first + String($0) } }
    return all.map { "+1\t\($0)\($0 == "AA" ? "\tmain" : "")\ngeneral\t10\t\t\t\\d{10}\n" }
}()

private func release(and lines: String) -> [UInt8] {
    Array(("dialtone-numbering\t1\t1.0\t2026-01-31\n" + release.joined() + lines + "end\n").utf8)
}

// Nothing writes to it after its initialization.
private nonisolated(unsafe) let content: UnsafeBufferPointer<UInt8> = {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: release(and: "").count)
    _ = copy.initialize(from: release(and: ""))
    return UnsafeBufferPointer(copy)
}()

// These take the place of the functions of CNumberingData.

func cnumbering_data() -> UnsafePointer<UInt8>? { content.baseAddress }

func cnumbering_data_size() -> Int { content.count }
