import Encodings
import TestServers

/// The samples in a response of `GET /metrics`.
struct Scrape {
    let answer: HTTPAnswer
    private var samples: [String: Double] = [:]

    init(_ answer: HTTPAnswer) {
        self.answer = answer
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }

    /// The value of a sample, by its name with labels; 0 if it is absent.
    subscript(sample: String) -> Double { samples[sample] ?? 0 }

    /// Returns the sum of all samples whose names begin with a prefix.
    func sum(_ prefix: String) -> Double { samples.reduce(0) { $1.key.hasPrefix(prefix) ? $0 + $1.value : $0 } }

    /// Returns the samples of counters and histograms that are smaller than in an earlier response.
    func smaller(than earlier: Scrape) -> [String] {
        earlier.samples.filter { name, value in
            let end = name.prefix { $0 != "{" }
            return ["_total", "_bucket", "_count", "_sum"].contains { end.hasSuffix($0) } && self[name] < value
        }.map(\.key)
    }

    /// The names that a dashboard can use.
    var names: Set<String> {
        var names: Set<String> = []
        for line in answer.text.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ").map(String.init)
            names.formUnion(words[3] == "histogram" ? ["_bucket", "_count", "_sum"].map { words[2] + $0 } : [words[2]])
        }
        return names
    }
}

extension RunningServer {
    /// Requests the metrics on the admin listener.
    func scrape(accept: String? = nil) throws -> Scrape {
        Scrape(try get("/metrics", headers: accept.map { [("Accept", $0)] } ?? []))
    }
}
