// All in the GSM alphabet, which has ä, å, æ, ö, ø and ü.
extension MessageWording {
    static let english = MessageWording(
        named: "{code} is your {app} verification code. Don't share it.",
        unnamed: "{code} is your verification code. Don't share it.",
        brieflyNamed: "{code} is your {app} code.",
        brieflyUnnamed: "{code} is your code."
    )

    static let german = MessageWording(
        named: "{code} ist Ihr Bestätigungscode für {app}. Geben Sie ihn nicht weiter.",
        unnamed: "{code} ist Ihr Bestätigungscode. Geben Sie ihn nicht weiter.",
        brieflyNamed: "{code} ist Ihr Code für {app}.",
        brieflyUnnamed: "{code} ist Ihr Code."
    )

    static let dutch = MessageWording(
        named: "{code} is je verificatiecode voor {app}. Deel deze code met niemand.",
        unnamed: "{code} is je verificatiecode. Deel deze code met niemand.",
        brieflyNamed: "{code} is je code voor {app}.",
        brieflyUnnamed: "{code} is je code."
    )

    static let danish = MessageWording(
        named: "{code} er din bekræftelseskode til {app}. Del den ikke med nogen.",
        unnamed: "{code} er din bekræftelseskode. Del den ikke med nogen.",
        brieflyNamed: "{code} er din kode til {app}.",
        brieflyUnnamed: "{code} er din kode."
    )

    static let norwegianBokmal = MessageWording(
        named: "{code} er bekreftelseskoden din for {app}. Ikke del den med noen.",
        unnamed: "{code} er bekreftelseskoden din. Ikke del den med noen.",
        brieflyNamed: "{code} er koden din for {app}.",
        brieflyUnnamed: "{code} er koden din."
    )

    static let swedish = MessageWording(
        named: "{code} är din verifieringskod för {app}. Dela den inte med någon.",
        unnamed: "{code} är din verifieringskod. Dela den inte med någon.",
        brieflyNamed: "{code} är din kod för {app}.",
        brieflyUnnamed: "{code} är din kod."
    )
}
