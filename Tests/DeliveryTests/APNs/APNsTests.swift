import Testing

/// Tests that run servers and hundreds of requests. They run one at a time, so that none exceeds a deadline because of
/// another.
@Suite(.serialized, .timeLimit(.minutes(30))) enum APNsTests {}
