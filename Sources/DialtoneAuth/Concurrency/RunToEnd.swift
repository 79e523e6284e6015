#if canImport(UIKit)
    internal import Dispatch
    internal import Foundation
    internal import UIKit
#endif

/// Runs an exchange with the server to its end, even if the calling task is cancelled: only the wait ends then. What
/// the exchange uses up on the server, such as a code, cannot be used again.
///
/// On Apple's platforms except macOS, the system is asked not to suspend the app meanwhile.
func runToEnd<Value: Sendable>(_ exchange: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    let task = Task {
        let end = BackgroundActivity.begin()
        defer { end() }
        return try await exchange()
    }
    return try await result(of: task)
}

private enum BackgroundActivity {
    /// Asks the system for time in the background, and returns a function that gives the rest of the time back.
    static func begin() -> @Sendable () -> Void {
        #if canImport(UIKit)
            let isOver = DispatchSemaphore(value: 0)
            // The activity lasts as long as the first call of the block. The second one says that the time is over.
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Sign-in") { isExpired in
                if isExpired { isOver.signal() } else { isOver.wait() }
            }
            return { isOver.signal() }
        #else
            return {}
        #endif
    }
}
