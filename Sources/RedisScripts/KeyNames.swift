internal import Encodings

/// The names of Redis keys. Each feature adds its own; no other code knows a key's name.
///
/// The hash tag decides which keys a Redis Cluster keeps together in one slot. Each script and each command has keys of
/// one slot:
///
/// - `{PROJECT}`: all that concerns a project's messages, codes, limits and configuration.
/// - `{u/N}`, `{e/N}` and `{r/N}`: what grows with the number of users, divided into shards: accounts and their
///   sessions; claims of e-mail addresses; devices and their push receipts. Claims of numbers are in the project's
///   slot, so that an answer is one script.
/// - `{/}`: what the deployment has once.
///
/// A project's id contains no `/`, so no project has the tag of anything else.
public enum KeyNames {
    /// Hash: the marks of the deployment's keys, the shard count with which it was created, and the index key in force.
    public static let deployment = "dt:{/}:deployment"

    /// The same of a backup that is being restored, until all its keys are, with the backup's id.
    static let restoration = "dt:{/}:restoration"

    /// A pattern that matches every key.
    public static let any = "dt:{*"

    /// Returns whether a key is one of Dialtone's.
    static func isOfDialtone(_ key: String) -> Bool { key.hasPrefix("dt:{") }

    /// What a call stored in case it is resent.
    static func executedCall(_ id: String, inSlotOf key: String) -> String { "\(slot(of: key)):executed:\(id)" }

    /// The mark whose confirmation by replicas confirms all earlier writes in its slot.
    static func mark(inSlotOf key: String) -> String { "\(slot(of: key)):mark" }

    /// Returns the name of a key that does not exist, in the slot of a shard's keys.
    public static func anyInSlot(_ family: StaticString, _ shard: Shard) -> String { name(family, shard, "none") }

    /// Returns the beginning of a key with its hash tag, `dt:{u/17}`. Keys with the same beginning are in one slot of a
    /// Redis Cluster.
    public static func slot(of key: String) -> Substring {
        guard let end = key.utf8.firstIndex(of: UInt8(ascii: "}")) else { return key[...] }
        return Substring(key.utf8[...end])
    }

    /// Returns the keys of each slot of a Redis Cluster.
    public static func bySlot(_ keys: [String]) -> [[String]] {
        Array(Dictionary(grouping: keys) { slot(of: $0) }.values)
    }

    /// Returns whether all keys are in one slot of a Redis Cluster.
    static func shareSlot(_ keys: some Sequence<String>) -> Bool {
        var first: Substring?
        for key in keys {
            let slot = slot(of: key)
            guard first == nil || first == slot else { return false }
            first = slot
        }
        return true
    }

    /// `dt:{u/17}:kind:project:…`
    public static func name(_ family: StaticString, _ shard: Shard, _ parts: String...) -> String {
        let index = Int64(shard.index)
        return join(tagByteCount: 6 + family.utf8CodeUnitCount + index.decimalByteCount, parts) { name in
            name.append("dt:{")
            name.append(family)
            name.append("/")
            name.appendDecimal(index)
            name.append("}")
        }
    }

    /// `dt:{PROJECT}:kind:…`
    public static func ofProject(_ project: String, _ parts: String...) -> String {
        join(tagByteCount: 5 + project.utf8.count, parts) { name in
            name.append("dt:{")
            var project = project
            project.withUTF8 { name.append(copying: $0) }
            name.append("}")
        }
    }

    /// Builds the name in a single allocation: a request needs more than a dozen names.
    private static func join(
        tagByteCount: Int,
        _ parts: [String],
        writeTag: (inout OutputSpan<UInt8>) -> Void
    ) -> String {
        let byteCount = parts.reduce(tagByteCount) { $0 + 1 + $1.utf8.count }
        return String(byteCount: byteCount) { name in
            writeTag(&name)
            for var part in parts {
                name.append(UInt8(ascii: ":"))
                part.withUTF8 { name.append(copying: $0) }
            }
        }
    }
}
