internal import Encodings

/// Finds the routes of a path.
///
/// Each path is declared with the one production host whose name may precede it. No other prefix is removed, and paths
/// match byte for byte. A web server's allow and deny rules by path therefore cannot be bypassed by a second spelling.
struct Router: Sendable {
    /// The routes of each path without a parameter. Routes of the same path differ in their methods.
    let routes: [String: [Route]]
    private let patterns: [PathPattern: [Route]]

    /// The routes of one path.
    struct Match {
        /// One route for each set of methods; not empty.
        let routes: [Route]
        /// The value of the path's parameter; empty if the path has none.
        let parameter: String

        /// A route of the path, whatever its methods. Name, audience and guard are the same for all.
        var any: Route { routes[0] }
    }

    init(_ table: [Route] = IdentityToolkitHandler.routes) {
        var routes: [String: [Route]] = [:]
        var patterns: [PathPattern: [Route]] = [:]
        for route in table {
            for path in route.paths {
                if let pattern = PathPattern(path) {
                    patterns[pattern, default: []].append(route)
                } else {
                    routes[path, default: []].append(route)
                }
            }
        }
        self.routes = routes
        self.patterns = patterns
    }

    /// Returns the routes of a path; nil if the path is unknown.
    func match(_ path: String) -> Match? {
        guard path.isASCII else { return nil }
        if let routes = routes[path] { return Match(routes: routes, parameter: "") }
        guard Self.isNormalized(path) else { return nil }
        for (pattern, routes) in patterns {
            if let parameter = pattern.parameter(in: path) { return Match(routes: routes, parameter: parameter) }
        }
        return nil
    }

    /// Returns whether a path has only one spelling: its segments consist of unreserved characters, `:` and `@`, and
    /// none is empty, `.` or `..`.
    ///
    /// nginx decodes and normalizes paths before it selects a location. Anything else that is left was encoded twice,
    /// or comes from a front end that does not normalize.
    private static func isNormalized(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/") else { return false }
        return path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { segment in
                !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                    && segment.allSatisfy(isUnescapedInPaths)
            }
    }

    /// Returns whether a byte needs no percent-encoding in a path.
    private static func isUnescapedInPaths(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~:@".utf8.contains(byte)
    }
}

/// A path with one parameter, such as `/v1/projects/{project}/accounts`. The parameter has neither a slash nor a
/// colon, so at most one pattern matches a path.
private struct PathPattern: Hashable {
    private let prefix: String
    private let suffix: String

    /// Returns nil if the path has no parameter.
    init?(_ path: String) {
        let parts = path.split(separator: "{")
        guard parts.count == 2, let end = parts[1].firstIndex(of: "}") else { return nil }
        prefix = String(parts[0])
        suffix = String(parts[1][end...].dropFirst())
    }

    /// Returns the parameter's value; nil if the path does not match.
    func parameter(in path: String) -> String? {
        let bytes = path.utf8
        guard bytes.count > prefix.utf8.count + suffix.utf8.count, path.hasPrefix(prefix), path.hasSuffix(suffix) else {
            return nil
        }
        let value = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        return value.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") } ? nil : String(Substring(value))
    }
}
