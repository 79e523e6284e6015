// A letter takes three bytes in UTF-8: the brief forms fit SMS Retriever's 140 bytes.
extension MessageWording {
    static let bengali = MessageWording(
        named: "{code} আপনার {app} যাচাইকরণ কোড। কাউকে বলবেন না।",
        unnamed: "{code} আপনার যাচাইকরণ কোড। এটি কাউকে বলবেন না।",
        brieflyNamed: "{code} আপনার {app} কোড।",
        brieflyUnnamed: "{code} আপনার যাচাইকরণ কোড।"
    )

    static let hindi = MessageWording(
        named: "{code} आपका {app} सत्यापन कोड है। इसे किसी को न बताएं।",
        unnamed: "{code} आपका सत्यापन कोड है। इसे किसी को न बताएं।",
        brieflyNamed: "{code} आपका {app} कोड है।",
        brieflyUnnamed: "{code} आपका सत्यापन कोड है।"
    )

    static let tamil = MessageWording(
        named: "{code} உங்கள் {app} குறியீடு. யாருடனும் பகிர வேண்டாம்.",
        unnamed: "{code} உங்கள் சரிபார்ப்புக் குறியீடு. யாருடனும் பகிர வேண்டாம்.",
        brieflyNamed: "{code} உங்கள் {app} குறியீடு.",
        brieflyUnnamed: "{code} உங்கள் குறியீடு."
    )
}
