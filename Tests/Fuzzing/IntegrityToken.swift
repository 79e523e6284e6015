internal import Encodings

/// Tokens of Play Integrity and their payloads: a token has only one text, its algorithms are pinned, and a payload
/// contains only what its document contains.
///
/// An input of five lines is a header and four parts, which are encoded first because a fuzzer cannot find valid
/// Base64URL by itself.
@c(LLVMFuzzerTestOneInput)
public func fuzzIntegrityToken(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    check(String(decoding: input, as: UTF8.self))
    let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
    if lines.count == 5 { check(lines.map { Base64URL.string($0) }.joined(separator: ".")) }
    if case .object(let document) = try? JSONValue.parse(input, maximumDepth: 8) {
        check(IntegrityPayload(document), of: String(decoding: input, as: UTF8.self))
    }
    return 0
}

private func check(_ text: String) {
    guard let token = SealedIntegrityToken(text) else { return }
    let parts = [token.wrappedKey, token.nonce, token.ciphertext, token.tag].map { Base64URL.string($0) }
    let header = String(decoding: token.encodedHeader, as: UTF8.self)
    require(([header] + parts).joined(separator: ".") == text, "a token has one text")
    require(text.utf8.count <= SealedIntegrityToken.maximumByteCount, "a token is not too long")
    require(
        token.wrappedKey.count == 40 && token.nonce.count == 12 && token.tag.count == 16,
        "the parts have their lengths"
    )
    guard let bytes = Base64URL.decode(header.utf8), case .object(let members) = try? JSONValue.parse(bytes) else {
        return require(false, "the header is an object")
    }
    require(members["alg"] == .string("A256KW") && members["enc"] == .string("A256GCM"), "algorithms are pinned")
    require(members["zip"] == nil && members["crit"] == nil, "contents are not compressed")
}

private func check(_ payload: IntegrityPayload, of document: String) {
    // Escapes may write the same text in another way.
    guard !document.contains("\\") else { return }
    let texts = [payload.requestPackageName, payload.nonce, payload.packageName].compactMap { $0 }
    for text in texts + payload.certificateDigests + payload.verdicts {
        require(document.contains("\"\(text)\""), "a payload has texts of its document")
    }
}
