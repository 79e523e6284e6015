// The GSM alphabet has only capital Greek letters, so Greek is sent in UCS-2.
extension MessageWording {
    static let greek = MessageWording(
        named: "{code} είναι ο κωδικός {app}. Μην τον κοινοποιήσετε.",
        unnamed: "{code} είναι ο κωδικός επαλήθευσης. Μην τον κοινοποιήσετε.",
        brieflyNamed: "{code} είναι ο κωδικός {app}.",
        brieflyUnnamed: "{code} είναι ο κωδικός σας."
    )

    static let hungarian = MessageWording(
        named: "{code} az Ön {app}-kódja. Ne ossza meg senkivel.",
        unnamed: "{code} az Ön ellenőrző kódja. Ne ossza meg senkivel.",
        brieflyNamed: "{code} az Ön {app}-kódja.",
        brieflyUnnamed: "{code} az Ön kódja."
    )

    static let turkish = MessageWording(
        named: "{code}, {app} doğrulama kodunuz. Kimseyle paylaşmayın.",
        unnamed: "{code}, doğrulama kodunuz. Kimseyle paylaşmayın.",
        brieflyNamed: "{code}, {app} kodunuz.",
        brieflyUnnamed: "{code}, doğrulama kodunuz."
    )
}
