/// What messages are counted by.
public enum SendCounter: Hashable, Sendable {
    /// A phone number of a project, whatever the messages are for.
    case number(PhoneIdentity)
    /// One of the networks that the client is in.
    case network(ClientNetworks.Network)
    /// The device whose push receipt proved the app, whichever of its receipts.
    case device(DeviceIdentity)
    /// A push receipt of the version before, which does not know its device.
    case pushReceipt(PushReceiptID)
    /// All of a project.
    case project(String)
    /// All projects.
    case deployment

    /// What a counter counts by; the raw value is its name in logs, in explanations and on the command line.
    public enum Scope: String, Sendable, CaseIterable {
        case number
        case network
        case network56 = "network /56"
        case network48 = "network /48"
        case appCredential = "app credential"
        case project
        case deployment
    }

    /// What it counts by.
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

    /// Whether each message is remembered, or buckets of time are counted.
    ///
    /// What people may do in an hour is few enough to remember, and the window slides to the millisecond. A project may send
    /// 10⁶ a day: there a bucket is a 60th of the window, and a message counts for less than a bucket too long.
    var isBucketed: Bool {
        switch self {
        case .number, .network, .device, .pushReceipt: false
        case .project, .deployment: true
        }
    }

    /// How many buckets a window has; one more counts while it slides.
    static let bucketsPerWindow: Int64 = 60
}

/// No more than so many messages in any window of this length.
public struct SendLimit: Hashable, Sendable {
    /// What is counted.
    public let counter: SendCounter
    /// How long the window is.
    public let windowMilliseconds: Int64
    /// How many messages there may be in it.
    public let maximum: Int
    /// How many of these only clients may ask for that signed in with the number before, or that hold a session of its
    /// account; as long as there are such clients.
    public let reservedForKnownClients: Int

    /// A limit; `maximum` is at least 1, and greater than what is reserved of it. The window of a project or a
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

    /// 0 where each message is remembered.
    var bucketMilliseconds: Int64 {
        counter.isBucketed ? windowMilliseconds / SendCounter.bucketsPerWindow : 0
    }
}

extension [SendLimit] {
    /// Those of one counter together, the longest window last: it decides how long a send is remembered.
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

/// A limit that forbade a message.
public struct ExceededSendLimit: Hashable, Sendable {
    /// Which.
    public let limit: SendLimit
    /// How many messages there are in its window.
    public let sends: Int
    /// How many of its maximum were kept from this client.
    public let reserved: Int
    /// How long until there is room for one more.
    public let retryAfterMilliseconds: Int64
}
