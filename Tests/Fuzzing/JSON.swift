internal import Encodings

/// Valid JSON round-trips; invalid JSON is reported with a position in it.
@c(LLVMFuzzerTestOneInput)
public func fuzzJSON(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = fuzzInput(bytes, count)
    do throws(JSONError) {
        let value = try JSONValue.parse(document)
        let written = text(of: value)
        let again = try? JSONValue.parse(written)
        require(again == value, "what was written is read as the same")
        require(again.map(text) == written, "what was written is written as the same, byte for byte")
    } catch {
        switch error {
        case .unexpectedEnd: break
        case .unexpectedByte(let offset), .invalidUTF8(let offset), .tooDeep(let offset):
            require(document.indices.contains(offset), "a fault is in the document")
        }
    }
    return 0
}

private func text(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.value(value)
    return writer.bytes
}
