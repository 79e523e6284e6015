internal import RedisScripts

extension WrongCodeBlock: CustomStringConvertible {
    /// The wrong codes that caused it, for operators.
    public var description: String {
        "\(wrongCodes) wrong codes for the number" + (isOfClient ? " from this client" : ", the maximum")
    }

    /// How long until a code is verified again.
    public var retryAfter: Duration { .milliseconds(retryAfterMilliseconds) }
}
