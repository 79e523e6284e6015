/// The kind of app that asks, as far as it says so; decides in which words a refusal is told.
public enum AppPlatform: Sendable {
    case iOS, android, web
}
