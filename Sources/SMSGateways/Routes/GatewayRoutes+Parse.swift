extension GatewayRoutes {
    /// Reads routes as settings have them: `+1876=webhook,twilio; JM=webhook; *=twilio,vonage`.
    ///
    /// Each entry is a prefix (`+` and 1 to 15 digits), a region (two letters, or three digits as libphonenumber has for some numbers of no
    /// country) or `*` for all others, and the gateways in their order. Entries are separated by `;` or line ends; the order of entries
    /// does not matter.
    ///
    /// - Parameters:
    ///   - text: the settings.
    ///   - known: the gateways that there are; nil for any.
    /// - Throws: ``GatewayRoutesError`` naming the first entry that cannot be right.
    public init(parsing text: String, known: Set<GatewayName>? = nil) throws(GatewayRoutesError) {
        var routes: [Key: [GatewayName]] = [:]
        for entry in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let entry = Self.trim(entry)
            if entry.isEmpty { continue }
            guard let sign = entry.firstIndex(of: "=") else { throw .malformedEntry(String(entry)) }
            let name = Self.trim(entry[..<sign])
            guard let key = Key(name) else { throw .malformedKey(String(name)) }
            guard routes[key] == nil else { throw .repeatedKey(String(name)) }
            routes[key] = try Self.gateways(entry[entry.index(after: sign)...], of: name, known)
        }
        guard let fallback = routes[.all] else { throw .noDefault }
        var prefixes: [String: [GatewayName]] = [:]
        var regions: [String: [GatewayName]] = [:]
        for (key, gateways) in routes {
            switch key {
            case .prefix(let prefix): prefixes[prefix] = gateways
            case .region(let region): regions[region] = gateways
            case .all: break
            }
        }
        self.init(prefixes: prefixes, regions: regions, fallback: fallback)
    }

    private enum Key: Hashable {
        case prefix(String)
        case region(String)
        case all

        init?(_ text: Substring) {
            if text == "*" {
                self = .all
            } else if text.hasPrefix("+") {
                let digits = text.dropFirst()
                guard digits.isDigits, digits.utf8.count <= 15, !digits.hasPrefix("0") else { return nil }
                self = .prefix(String(text))
            } else {
                let isCountry = text.utf8.count == 2 && text.utf8.allSatisfy(\.isUppercaseLetter)
                guard isCountry || (text.utf8.count == 3 && text.isDigits) else { return nil }
                self = .region(String(text))
            }
        }
    }

    private static func gateways(
        _ list: Substring,
        of key: Substring,
        _ known: Set<GatewayName>?
    ) throws(GatewayRoutesError) -> [GatewayName] {
        var gateways: [GatewayName] = []
        for item in list.split(separator: ",", omittingEmptySubsequences: false) {
            let item = trim(item)
            guard !item.isEmpty else { throw .noGateway(key: String(key)) }
            guard let name = GatewayName(item) else { throw .malformedName(String(item)) }
            guard known?.contains(name) ?? true else { throw .unknownGateway(name) }
            guard !gateways.contains(name) else { throw .repeatedGateway(name, key: String(key)) }
            gateways.append(name)
        }
        return gateways
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
