internal import PhoneAuth
internal import RedisScripts
internal import Threads

extension CountingGate {
    /// Divides a dispatcher's capacity among the destinations of an outbox, so that a destination that hangs cannot
    /// take the capacity of the others. Each gets at most `most` items.
    convenience init(destinations: Int, most: Int = .max) {
        self.init(maximum: DispatcherLimits.maximumHeld, owners: destinations, most: most)
    }

    /// Returns the room of destinations for waiting items. A destination that is nearly full reports none: fetching a
    /// few items at a time would cost more Redis calls than it gains.
    func room(of destinations: [String]) -> [String: DestinationRoom] {
        let room = destinations.map { name in
            let free = share - count(of: name)
            return (name, DestinationRoom.items(free * 4 >= share ? free : 0))
        }
        return Dictionary(room) { first, _ in first }
    }
}
