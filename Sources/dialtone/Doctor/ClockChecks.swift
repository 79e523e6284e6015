import Processes
import RedisScripts

/// Checks of this machine's clock. Redis's clock is compared with it among the findings about Redis.
enum ClockChecks {
    /// Returns a finding if systemd knows whether the clock is synchronized.
    static func findings() -> [Finding] {
        guard
            let shown = try? FinishedProcess.run(
                "timedatectl",
                ["show", "--property=NTPSynchronized", "--value"],
                atMost: .seconds(5)
            ), shown.status.isSuccess
        else { return [] }
        return [
            .check(
                "synchronization",
                "the clock is synchronized (NTP)",
                wrong: shown.output.hasPrefix("no")
                    ? (
                        .advice, "the clock is not synchronized: codes, tokens and limits expire at the wrong time",
                        "timedatectl set-ntp true"
                    ) : nil
            )
        ]
    }
}
