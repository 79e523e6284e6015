internal import Encodings

/// Tokens: the text that is read is the text that is signed, RS256 is pinned, and accepted tokens comply with the
/// rules.
///
/// An input of three lines is a header, claims and a signature, which are encoded first because a fuzzer cannot find
/// valid Base64URL by itself.
@c(LLVMFuzzerTestOneInput)
public func fuzzJWT(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = fuzzInput(bytes, count)
    let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    check(String(decoding: input, as: UTF8.self))
    if lines.count == 3 {
        let text = lines.map { Base64URL.string($0) }.joined(separator: ".")
        let isToken =
            text.utf8.count <= CompactJWT.maximumByteCount
            && lines[..<2].allSatisfy { if case .object = try? JSONValue.parse(Array($0)) { true } else { false } }
        require(check(text) == isToken, "a token is two objects and a signature")
    }
    return 0
}

private let now = Instant(milliseconds: 1_800_000_000_500)
private let email = "server@demo-app.iam.example"

/// Returns whether a text is a token, and ends the program if it is read incorrectly.
@discardableResult
private func check(_ text: String) -> Bool {
    let key = SigningKey { signature, signed in
        let whole = signed + [UInt8(ascii: ".")] + Base64URL.encode(signature)
        require(text.utf8.elementsEqual(whole), "what is signed is all of the text")
    }
    checkIDToken(text, key)
    checkCustomToken(text, .anyoneUnverified)
    checkCustomToken(text, .serviceAccounts([ServiceAccount(email: email, key: key)]))
    guard let token = CompactJWT(text) else { return false }
    if token.isSigned(by: key) { require(isRS256(token), "RS256 is pinned") }
    return true
}

private func checkIDToken(_ text: String, _ key: SigningKey) {
    let project = Project(id: "demo-app")
    guard let token = VerifiedIDToken(text, in: project, ServerKeys(key: key), Policy(), at: now) else { return }
    guard let jwt = CompactJWT(text) else { return require(false, "an ID token is a JWT") }
    require(isRS256(jwt), "an ID token is signed with RS256")
    require(!token.uid.isEmpty && jwt.claims["sub"] == .string(token.uid), "an ID token has its user")
    require(jwt.claims["aud"] == .string(project.id), "an ID token is for the project")
    require(seconds(jwt.claims["exp"]).map { $0 > now.seconds } ?? false, "an ID token has not expired")
    require(token.issuedAt >= 0 && token.authTime >= 0, "an ID token has its times")
}

private func checkCustomToken(_ text: String, _ issuers: CustomTokenIssuers) {
    guard let token = try? CustomToken(text, from: issuers, at: now), let claims = CompactJWT(text)?.claims else {
        return
    }
    require(AccountID.isLegal(token.uid), "a custom token has a user")
    require(claims["aud"] == .string(CustomToken.audience), "a custom token is for the service")
    // An unsigned token may lack its times.
    if claims["iat"] != nil, claims["exp"] != nil {
        require(seconds(claims["exp"]).map { $0 > now.seconds } ?? false, "a custom token's time is not up")
    }
    if case .serviceAccounts = issuers {
        require(claims["iat"] != nil && claims["exp"] != nil, "a signed custom token has its times")
        require(token.issuer == email && CompactJWT(text).map(isRS256) ?? false, "a custom token is of its account")
    }
    for (name, _) in token.claims?.object.members ?? [] {
        require(!CustomClaims.reservedNames.contains(name), "claims leave names to tokens")
    }
}

private func isRS256(_ token: CompactJWT) -> Bool {
    guard case .string(let name) = token.header["alg"] else { return false }
    return name.utf8.elementsEqual("RS256".utf8)
}

private func seconds(_ value: JSONValue?) -> Int64? {
    guard case .number(let text) = value else { return nil }
    return Int64(text)
}
