internal import Encodings
internal import RedisStore

/// Which limits a message must fit into.
extension Authenticator {
    /// All limits of a message: to a number, asked for from a network address, by an app that was proven by `grounds`.
    func sendLimits(
        of phone: PhoneIdentity,
        from address: String,
        provenBy grounds: AppProof.Grounds,
        in project: Project
    ) -> [SendLimit] {
        var limits = sendLimits(of: phone)
        let network = NetworkIdentity(ofAddress: address, for: "send-network", in: project, keys, among: store.shards)
        limits.append(
            SendLimit(.network(network), windowMilliseconds: Self.hour, maximum: policy.sendsPerNetworkPerHour)
        )
        // A challenge token needs no limit: it is good for one send.
        if case .pushReceipt(let id) = grounds {
            limits += [
                SendLimit(
                    .pushReceipt(id),
                    windowMilliseconds: Self.hour,
                    maximum: policy.sendsPerAppCredentialPerHour
                ),
                SendLimit(.pushReceipt(id), windowMilliseconds: Self.day, maximum: policy.sendsPerAppCredentialPerDay),
            ]
        }
        return limits + sharedSendLimits(in: project)
    }

    /// The limits of a number alone.
    func sendLimits(of phone: PhoneIdentity) -> [SendLimit] {
        [
            SendLimit(.number(phone), windowMilliseconds: Self.hour, maximum: policy.sendsPerNumberPerHour),
            SendLimit(.number(phone), windowMilliseconds: Self.day, maximum: policy.sendsPerNumberPerDay),
        ]
    }

    /// The limits that all of a project's messages share, and all of the deployment's.
    func sharedSendLimits(in project: Project) -> [SendLimit] {
        [
            (SendCounter.project(project.id), Self.day, policy.sendsPerProjectPerDay),
            (.deployment, Self.hour, policy.sendsPerHour),
            (.deployment, Self.day, policy.sendsPerDay),
        ].compactMap { counter, window, maximum in
            maximum > 0 ? SendLimit(counter, windowMilliseconds: window, maximum: maximum) : nil
        }
    }

    /// How many wrong codes for a number are judged.
    var wrongCodeLimits: WrongCodeLimits {
        WrongCodeLimits(
            maximum: policy.wrongCodesPerNumber,
            perClientBeforeWait: policy.wrongCodesBeforeWait,
            longestWaitMilliseconds: policy.longestWrongCodeWait.milliseconds,
            memoryMilliseconds: Policy.wrongCodeMemory.milliseconds,
            reservedForKnownClients: policy.wrongCodesPerNumber / Policy.knownClientsShareOfWrongCodes,
            knownClients: Policy.maximumKnownClients,
            knownClientMilliseconds: Policy.knownClientMemory.milliseconds
        )
    }

    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 86_400_000
}

extension NetworkIdentity {
    /// How Redis knows the network of an address, in one use: HMAC-SHA-256(index key, project ‖ network).
    init(
        ofAddress address: String,
        for use: StaticString,
        in project: Project,
        _ keys: ServerKeys,
        among shards: ShardCount
    ) {
        let hash = keys.indexes(use, .text(project.id), .text(ClientBinding.network(of: address)))
        self.init(
            project: project.id,
            hash: Base64URL.string(hash.prefix(16)),
            shard: shards.shard(ofHash: hash)
        )
    }
}
