internal import Encodings

/// The encodings of RFC 4648: bytes round-trip, and each accepted text is the only encoding of its bytes.
@c(LLVMFuzzerTestOneInput)
public func fuzzBase64URL(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    let text = Base64URL.encode(input)
    require(Base64URL.decode(text) == input, "base64url")
    require(Base64URL.string(input).utf8.elementsEqual(text), "base64url is the same as bytes and as text")
    require(Base64.decode(eitherAlphabet: Base64.encode(input).utf8) == input, "base 64")
    require(Hexadecimal.decode(Hexadecimal.encode(input)) == input, "hexadecimal digits")
    if let decoded = Base64URL.decode(input) {
        require(Base64URL.encode(decoded) == input, "bytes have one text")
        require(Base64.decode(eitherAlphabet: input) == decoded, "base 64 of either alphabet has base64url in it")
    }
    if let decoded = Base64.decode(eitherAlphabet: input) {
        require(Base64.decode(eitherAlphabet: Base64.encode(decoded).utf8) == decoded, "base 64 that others wrote")
    }
    let asText = String(decoding: input, as: UTF8.self)
    if let decoded = Hexadecimal.decode(asText) {
        require(Hexadecimal.encode(decoded) == asText.lowercased(), "hexadecimal digits of either case")
    }
    return 0
}
