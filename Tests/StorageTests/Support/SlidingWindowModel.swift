@testable import PhoneAuth
@testable import RedisScripts

/// A simple model of a limit that stores each event: the times of all events.
struct SlidingWindowModel {
    let window: RateLimit.Window
    private var times: [Int64] = []

    init(_ window: RateLimit.Window) { self.window = window }

    /// Returns the number of events in the window and the time until one more fits, which is 0 if one fits now.
    func look(at now: Int64) -> (events: Int, wait: Int64) {
        let inside = times.filter { $0 > now - window.milliseconds }.sorted()
        guard inside.count >= window.maximum else { return (inside.count, 0) }
        return (inside.count, inside[inside.count - window.maximum] + window.milliseconds - now)
    }

    /// Counts an event. Times never decrease.
    mutating func count(at now: Int64) { times.append(max(now, times.last ?? now)) }
}

/// A model of any limit.
enum LimitModel {
    case log(SlidingWindowModel)
    case rate(CellRate, arrival: Int64?)

    init(_ limit: RateLimit) {
        self =
            limit.isLog ? .log(SlidingWindowModel(limit.window)) : .rate(CellRate(window: limit.window), arrival: nil)
    }

    func look(at now: Int64) -> (events: Int, wait: Int64) {
        switch self {
        case .log(let model): model.look(at: now)
        case .rate(let rate, let arrival): (rate.events(arrival, now: now), rate.wait(arrival, now: now))
        }
    }

    mutating func count(at now: Int64) {
        switch self {
        case .log(var model):
            model.count(at: now)
            self = .log(model)
        case .rate(let rate, let arrival):
            self = .rate(rate, arrival: rate.next(arrival, now: now))
        }
    }
}
