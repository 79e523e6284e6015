import FastCGI
import Synchronization

/// Runs a body on threads of their own, numbered from zero, and returns what each made.
func inParallel<Result: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) -> Result
) throws -> [Result] {
    let results = Results<Result>()
    let threads = try (0..<count).map { number in
        try WorkThread(name: "client-\(number)") {
            let result = body(number)
            results.values.withLock { $0.append(result) }
        }
    }
    for thread in threads { thread.join() }
    return results.values.withLock { $0 }
}

private final class Results<Value: Sendable>: Sendable {
    let values = Mutex<[Value]>([])
}
