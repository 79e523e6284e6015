import Testing

/// Tests that run servers and hundreds of requests: one at a time, so that none waits for another beyond its deadlines.
@Suite(.serialized, .timeLimit(.minutes(30))) enum APNsTests {}
