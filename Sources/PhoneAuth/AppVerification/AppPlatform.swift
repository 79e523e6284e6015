/// The platform of the requesting app, as the app claims it; decides the wording of errors.
public enum AppPlatform: Sendable {
    case iOS, android, web
}
