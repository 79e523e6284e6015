// A code before the first letter does not affect a text's direction, so these texts begin with the code, like the
// others.
extension MessageWording {
    static let arabic = MessageWording(
        named: "{code} هو رمز التحقق لتطبيق {app}. لا تشاركه مع أحد.",
        unnamed: "{code} هو رمز التحقق الخاص بك. لا تشاركه مع أحد.",
        brieflyNamed: "{code} هو رمز {app}.",
        brieflyUnnamed: "{code} هو رمز التحقق."
    )

    static let hebrew = MessageWording(
        named: "{code} הוא קוד האימות ל-{app}. אין למסור אותו לאיש.",
        unnamed: "{code} הוא קוד האימות שלך. אין למסור אותו לאיש.",
        brieflyNamed: "{code} הוא הקוד ל-{app}.",
        brieflyUnnamed: "{code} הוא קוד האימות שלך."
    )

    static let persian = MessageWording(
        named: "{code} کد تأیید {app} است. آن را به کسی ندهید.",
        unnamed: "{code} کد تأیید شما است. آن را به کسی ندهید.",
        brieflyNamed: "{code} کد {app} است.",
        brieflyUnnamed: "{code} کد تأیید شما است."
    )

    static let urdu = MessageWording(
        named: "{code} آپ کا {app} کوڈ ہے۔ اسے کسی کو نہ بتائیں۔",
        unnamed: "{code} آپ کا تصدیقی کوڈ ہے۔ اسے کسی کو نہ بتائیں۔",
        brieflyNamed: "{code} آپ کا {app} کوڈ ہے۔",
        brieflyUnnamed: "{code} آپ کا تصدیقی کوڈ ہے۔"
    )
}
