internal import Redis

/// One of many calls of a script.
struct ScriptCall {
    let keys: [String]
    let arguments: [Argument]
}
