public import Encodings

/// A point in time.
public typealias Instant = Encodings.Instant
