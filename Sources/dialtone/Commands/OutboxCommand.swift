import ArgumentParser
import Encodings
import PhoneAuth

/// `dialtone outbox`.
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show waiting and undeliverable text messages, and each gateway's counts.",
        discussion: "Phone numbers are masked; codes are not shown."
    )

    @OptionGroup var settings: SettingsOptions

    func run() throws {
        let settings = try settings.load()
        let authenticator = settings.authenticator(try settings.loadKeys())
        let now = authenticator.environment.now()
        let pending = try authenticator.pendingMessages()
        printLine("\(pending.count) waiting or being sent")
        for message in pending {
            let tried = message.tried.isEmpty ? "" : ", after \(message.tried.joined(separator: ", "))"
            printLine("  \(message.project) \(message.phone) for \(Self.seconds(now - message.queuedAt)) s\(tried)")
        }
        let dead = try authenticator.undeliverableMessages()
        printLine("\(dead.count) undeliverable")
        for message in dead {
            let number = message.phone.map { "\($0)" } ?? "a number that cannot be decrypted"
            let tried = message.tried.isEmpty ? "" : " (\(message.tried.joined(separator: ", ")))"
            printLine(
                "  \(message.project) \(number) \(Self.seconds(now - message.queuedAt)) s ago: "
                    + "\(message.reason)\(tried)"
            )
        }
        for project in settings.projects {
            for line in Self.lines(try authenticator.operation(in: project).messageCounts(days: 7)) {
                printLine("\(project.id), last 7 days, \(line)")
            }
        }
    }

    private static func seconds(_ duration: Duration) -> Int64 { max(0, duration.components.seconds) }

    /// Returns one line for each gateway, and one for events without a gateway.
    private static func lines(_ counts: [MessageCount]) -> [String] {
        Dictionary(grouping: counts) { $0.gateway ?? "" }.sorted { $0.key < $1.key }.map { gateway, counts in
            let numbers = MessageEvent.allCases.compactMap { event in
                counts.first { $0.event == event }.map { "\($0.count) \(event.rawValue)" }
            }
            return "\(gateway.isEmpty ? "no gateway" : gateway): \(numbers.joined(separator: ", "))"
        }
    }
}
