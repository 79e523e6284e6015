internal import Foundation

/// The server's time, as far as its responses tell: the device's clock plus an offset.
///
/// Tokens expire by the server's clock. Users change the clocks of their devices.
final class ServerClock: Sendable {
    /// The seconds since 1970 of the years until 9999. Other times of a server are no times, and would overflow
    /// computations.
    static let times: ClosedRange<TimeInterval> = 0...253_402_300_799
    /// A hundred years. Greater differences are not those of clocks.
    private static let offsets: ClosedRange<TimeInterval> = -3_155_760_000...3_155_760_000

    /// The device's clock.
    let deviceTime: @Sendable () -> Date
    private let state = Locked<TimeInterval?>(nil)

    init(deviceTime: @escaping @Sendable () -> Date) { self.deviceTime = deviceTime }

    /// The server's time.
    var now: Date { deviceTime().addingTimeInterval(offset) }

    /// How far the server is ahead of the device, in seconds; 0 until a response has told.
    var offset: TimeInterval { state.withLock { $0 } ?? 0 }

    /// Continues with an offset that an earlier process measured, unless this process knows better.
    func restore(_ offset: TimeInterval) {
        guard Self.offsets.contains(offset) else { return }
        state.withLock { $0 = $0 ?? offset }
    }

    /// Learns from a response's `Date` field, which has whole seconds, and from the time that the response took.
    func learn(_ date: Date, sentAt: Date) {
        let receivedAt = deviceTime()
        let transit = receivedAt.timeIntervalSince(sentAt)
        // If the device's clock was changed meanwhile, or the response took long, it tells too little.
        guard (0...20).contains(transit) else { return }
        let measured = date.addingTimeInterval(0.5).timeIntervalSince(receivedAt.addingTimeInterval(-transit / 2))
        guard Self.offsets.contains(measured) else { return }
        // Differences below two seconds are those of the measurement.
        state.withLock { $0 = abs(measured) < 2 ? 0 : measured }
    }

    /// Parses an HTTP date (RFC 9110 § 5.6.7), in its preferred form only.
    static func date(ofHeader text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
