/// The counters of messages.
public enum SendCounter: Hashable, Sendable {
    /// A phone number of a project, whatever the messages' purpose.
    case number(PhoneIdentity)
    /// One of the client's networks.
    case network(ClientNetworks.Network)
    /// The device whose push receipt proved the app, with any of its receipts.
    case device(DeviceIdentity)
    /// A push receipt of the previous version, which does not contain its device.
    case pushReceipt(PushReceiptID)
    /// All messages of a project.
    case project(String)
    /// All messages of all projects.
    case deployment

    /// The scope of a counter; the raw value is its name in logs, in explanations and on the command line.
    public enum Scope: String, Sendable, CaseIterable {
        case number
        case network
        case network56 = "network /56"
        case network48 = "network /48"
        case appCredential = "app credential"
        case project
        case deployment
    }

    /// The counter's scope.
    public var scope: Scope {
        switch self {
        case .number: .number
        case .network(let network):
            switch network.width {
            case .narrow: .network
            case .slash56: .network56
            case .slash48: .network48
            }
        case .device, .pushReceipt: .appCredential
        case .project: .project
        case .deployment: .deployment
        }
    }

    /// Whether messages are counted in buckets of time, and not stored one by one.
    ///
    /// The messages that people cause in an hour are few enough to store, and the window slides to the millisecond. A
    /// project may send 10⁶ a day: its window moves in 60 buckets, and a message counts too long by less than a bucket.
    var isBucketed: Bool {
        switch self {
        case .number, .network, .device, .pushReceipt: false
        case .project, .deployment: true
        }
    }

    /// The number of buckets in a window; one more counts while it slides.
    static let bucketsPerWindow: Int64 = 60
}

/// A sliding-window rate limit on messages.
public struct SendLimit: Hashable, Sendable {
    /// The counter.
    public let counter: SendCounter
    /// The length of the window.
    public let windowMilliseconds: Int64
    /// The maximum number of messages in the window.
    public let maximum: Int
    /// How many messages of the maximum are reserved for known clients, as long as there are any: clients that signed
    /// in with the number before, or that hold a session of its account.
    public let reservedForKnownClients: Int

    /// Creates a limit. `maximum` is at least 1, and greater than the reserved part. The window of a project or a
    /// deployment is a multiple of 60 ms.
    public init(
        _ counter: SendCounter,
        windowMilliseconds: Int64,
        maximum: Int,
        reservedForKnownClients: Int = 0
    ) {
        self.counter = counter
        self.windowMilliseconds = windowMilliseconds
        self.maximum = maximum
        self.reservedForKnownClients = reservedForKnownClients
    }

    /// 0 if each message is stored.
    var bucketMilliseconds: Int64 {
        counter.isBucketed ? windowMilliseconds / SendCounter.bucketsPerWindow : 0
    }
}

extension [SendLimit] {
    /// Returns the limits with those of one counter adjacent, the longest window last: it decides how long a send is
    /// stored.
    func inOrderOfCounting() -> [SendLimit] {
        var ordered: [SendLimit] = []
        ordered.reserveCapacity(count)
        for limit in self {
            let place = ordered.firstIndex {
                $0.counter == limit.counter && $0.windowMilliseconds > limit.windowMilliseconds
            }
            let end = ordered.lastIndex { $0.counter == limit.counter }.map { $0 + 1 }
            ordered.insert(limit, at: place ?? end ?? ordered.count)
        }
        return ordered
    }
}

/// A rate limit that was exceeded.
public struct ExceededSendLimit: Hashable, Sendable {
    /// The limit.
    public let limit: SendLimit
    /// The number of messages in its window.
    public let sends: Int
    /// How many messages of its maximum were reserved for other clients.
    public let reserved: Int
    /// How long until there is room for one more.
    public let retryAfterMilliseconds: Int64
}
