internal import Redis

/// Whether a cluster serves all keys, and how much of it fails when one node fails.
extension RedisState {
    static let coverageName = "cluster-require-full-coverage"

    /// As this node sees it.
    var clusterFindings: [Finding] { outsideCluster ?? slots + moves + masters + coverage }

    /// The finding about a server that the only node of a cluster still follows; nil for a node.
    private var outsideCluster: [Finding]? {
        guard cluster != nil, information?["cluster_enabled"] == "0" else { return nil }
        return [
            Finding(
                .advice,
                "slots",
                "all 16384 belong to this server, which is not a node of the cluster: the node that follows it has not "
                    + "taken over yet",
                remedy: "continue with step 4 of \"From one server to a Cluster\" in redis.md"
            )
        ]
    }

    private var slots: [Finding] {
        guard let cluster else { return [] }
        guard let served = cluster["cluster_slots_ok"], let state = cluster["cluster_state"] else {
            return [.unknown("slots", needs: "CLUSTER INFO")]
        }
        if state == "ok", served == String(Slot.count) { return [.fine("slots", "all \(served) have a master")] }
        return [
            Finding(
                .critical,
                "slots",
                "\(served) of \(Slot.count) have a master, and the cluster's state is \(state): requests get 503",
                remedy: "redis-cli --cluster check <node>, then redis-cli --cluster fix <node>"
            )
        ]
    }

    private var moves: [Finding] {
        guard cluster != nil else { return [] }
        let name = "open slots"
        guard let openSlots else { return [.unknown(name, needs: "CLUSTER NODES")] }
        guard !openSlots.isEmpty else { return [.fine(name, "no slot is being moved")] }
        func list(_ interruption: OpenSlot.Interruption?) -> String? {
            let slots = openSlots.filter { $0.interruption == interruption }
            guard !slots.isEmpty else { return nil }
            return (slots.count == 1 ? "slot " : "slots ") + slots.map { String($0.number) }.joined(separator: ", ")
        }
        let importing = list(.exporterReplaced).map {
            Finding(
                .critical,
                name,
                "a failover interrupted the move of \($0) to this node: the keys that were moved are missing, and a "
                    + "number may get a second account",
                remedy: "stop workers and dispatchers, start the former master, then redis-cli --cluster fix <node>"
            )
        }
        let exporting = list(.importerReplaced).map {
            Finding(
                .critical,
                name,
                "a failover interrupted the move of \($0) from this node: requests for moved keys and for new ones get "
                    + "503",
                remedy: "redis-cli --cluster fix <node>"
            )
        }
        let moving = list(nil).map {
            Finding(
                .advice,
                name,
                "unfinished move of \($0): if a master fails now, the keys that have been moved are missing",
                remedy: "redis-cli --cluster fix <node>, if no other redis-cli --cluster command is running"
            )
        }
        return [importing, exporting, moving].compactMap(\.self)
    }

    private var masters: [Finding] {
        guard let count = cluster?["cluster_size"].flatMap({ Int($0) }) else { return [] }
        guard count < 3 else { return [.fine("cluster_size", "\(count) masters")] }
        return [
            Finding(
                .advice,
                "cluster_size",
                "\(count): if one master fails, the others are no majority, and no replica replaces it",
                remedy: "redis-cli --cluster add-node <new node> <this node>, then "
                    + "redis-cli --cluster rebalance <this node> --cluster-use-empty-masters"
            )
        ]
    }

    /// A replica needs the same setting, because it may become a master.
    var coverage: [Finding] {
        guard cluster != nil || information?["cluster_enabled"] == "1" else { return [] }
        let name = Self.coverageName
        guard let value = settings[name] else { return [.unknown(name, needs: "CONFIG GET")] }
        guard value != "no" else { return [.fine(name, value)] }
        return [
            Finding(
                .advice,
                name,
                "\(value): while a master is down and not replaced, all requests get 503, even for keys of other masters",
                remedy: "redis-cli CONFIG SET \(name) no, then redis-cli CONFIG REWRITE"
            )
        ]
    }
}
