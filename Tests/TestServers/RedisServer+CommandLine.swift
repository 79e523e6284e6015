import Processes

extension RedisServer {
    /// Runs one command through redis-cli, as the server's user if it has one.
    ///
    /// - Parameter arguments: the command and its arguments, such as `"GET", "key"`.
    /// - Returns: redis-cli's output, without the final newline; error replies are returned as text.
    @discardableResult public func cli(_ arguments: String...) -> String { cli(arguments) }

    /// Runs one command through redis-cli, as the server's user if it has one.
    @discardableResult public func cli(_ arguments: [String]) -> String {
        var login: [String] = []
        if let user { login = ["--user", user.name, "--pass", user.password, "--no-auth-warning"] }
        let finished = try? FinishedProcess.run(
            "redis-cli",
            ["-h", "127.0.0.1", "-p", String(port)] + login + arguments,
            atMost: .seconds(30)
        )
        guard let finished else { return "redis-cli is not installed" }
        var text = finished.output
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// Runs a command of `redis-cli --cluster` on the cluster of which this server is a node.
    ///
    /// - Parameters:
    ///   - command: the command, such as `rebalance`.
    ///   - node: the address that `add-node` has before that of this server.
    ///   - arguments: the options after the address.
    /// - Returns: the output.
    /// - Throws: ``StartError``, or ``ServerFailure`` if the command fails.
    @discardableResult public func cluster(
        _ command: String,
        node: String? = nil,
        _ arguments: [String] = []
    ) throws -> String {
        let finished = try FinishedProcess.run(
            "redis-cli",
            ["--cluster", command] + [node, "127.0.0.1:\(port)"].compactMap(\.self) + arguments,
            atMost: .seconds(240)
        )
        guard case .exited(0) = finished.status else {
            throw ServerFailure(description: "\(command): \(finished.output.suffix(500))\(finished.errors.suffix(500))")
        }
        return finished.output
    }
}
