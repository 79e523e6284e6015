import Testing

/// The domain on a real Redis, with a test clock and deterministic random bytes.
@Suite(.sharedRedis) enum PhoneAuthTests {}
