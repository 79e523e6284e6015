/// Stands in for the server of a challenge's provider: see `provider_server.py`.
public enum ProviderServer {
    /// Starts it. Every form that it gets is a line of JSON in the folder's file `forms`.
    ///
    /// - Returns: the running server, whose address for checks ends in `/siteverify`.
    /// - Throws: `StartError` or `ServerFailure`.
    public static func start() throws -> ScriptServer {
        let script = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/provider_server.py"
        return try ScriptServer(script, argument: "forms")
    }
}
