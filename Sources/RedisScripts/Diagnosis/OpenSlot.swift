/// A slot whose move to another node of a cluster has begun and has not ended.
struct OpenSlot: Equatable {
    /// How a failover of the other node has interrupted the move.
    enum Interruption {
        /// The node that had the slot was replaced. Only it knew that keys had moved: its successor serves the slot
        /// without them.
        case exporterReplaced
        /// The node that was to get the slot was replaced. Its successor does not know of the move, so no node serves
        /// the keys that have moved, and no new key can be created.
        case importerReplaced
    }

    let number: Int
    /// Nil if the move may be in progress.
    let interruption: Interruption?

    /// Parses a reply to `CLUSTER NODES`, in which a node's own line ends with entries such as `[93->-292f…]` for a
    /// slot that it exports to a node, and `[77-<-e7d1…]` for one that it imports.
    static func all(in nodes: String) -> [OpenSlot] {
        let lines = nodes.split(whereSeparator: \.isNewline).map { $0.split(separator: " ") }.filter { $0.count >= 8 }
        let own = lines.first { $0[2].split(separator: ",").contains("myself") } ?? []
        return own.dropFirst(8).filter { $0.hasPrefix("[") }.compactMap { entry in
            let text = entry.dropFirst().dropLast()
            guard let number = Int(text.prefix { $0.isNumber }) else { return nil }
            guard let arrow = text.firstRange(of: "-<-") ?? text.firstRange(of: "->-") else { return nil }
            let other = lines.first { $0[0] == text[arrow.upperBound...] } ?? []
            let isImported = text[arrow] == "-<-"
            let isSound =
                isImported
                ? other.dropFirst(8).contains { range($0, has: number) }
                : other.count > 2 && other[2].split(separator: ",").contains("master")
            let interruption: Interruption = isImported ? .exporterReplaced : .importerReplaced
            return OpenSlot(number: number, interruption: isSound ? nil : interruption)
        }
    }

    /// Returns whether a range such as `7` or `0-5460` contains a slot.
    private static func range(_ text: Substring, has slot: Int) -> Bool {
        let ends = text.split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first, let last = ends.last else { return false }
        return first <= slot && slot <= last
    }
}
