import Testing

/// The domain on a real Redis, with a clock and randomness of the tests' own.
@Suite(.sharedRedis) enum PhoneAuthTests {}
