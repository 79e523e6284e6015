/// A mock of the server of a challenge provider: see `provider_server.py`.
public enum ProviderServer {
    /// Starts the server, which writes each received form as a line of JSON to the file `forms` in its folder.
    ///
    /// - Returns: the running server, whose URL for checks ends in `/siteverify`.
    /// - Throws: `StartError` or `ServerFailure`.
    public static func start() throws -> ScriptServer {
        let script = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/provider_server.py"
        return try ScriptServer(script, argument: "forms")
    }
}
