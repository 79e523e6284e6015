import PhoneAuth
import RedisStore

/// Numbers that may have another holder by now.
extension SettingsReader {
    func recycledNumbers(of project: String) throws(Failure) -> RecycledNumberPolicy? {
        let answer = try choice(
            "project.\(project).recycledNumberPolicy",
            ["ask": RecycledNumberRule.Answer.ask, "fresh": .fresh],
            or: .ask
        )
        let days = try number("project.\(project).recycledNumberDays", in: 0...3650, or: 0)
        return RecycledNumberPolicy(provenFor: .seconds(days * 86_400), answer: answer)
    }
}
