// The languages that have messages, and no pages.

// In the GSM alphabet, which has ä, å, æ, ö, ø and ü.
extension MessageWording {
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

// Catalan and Romanian are worded in the GSM alphabet, which has à, è, é, ì, ò and ù, but no ó.
extension MessageWording {
    static let catalan = MessageWording(
        named: "{code} és el vostre codi de seguretat per a {app}. No el compartiu.",
        unnamed: "{code} és el vostre codi de seguretat. No el compartiu.",
        brieflyNamed: "{code} és el codi per a {app}.",
        brieflyUnnamed: "{code} és el vostre codi."
    )

    static let europeanPortuguese = MessageWording(
        named: "{code} é o seu código para {app}. Não o partilhe.",
        unnamed: "{code} é o seu código de verificação. Não o partilhe.",
        brieflyNamed: "{code} é o código para {app}.",
        brieflyUnnamed: "{code} é o seu código."
    )

    static let romanian = MessageWording(
        named: "{code} este codul dvs. de verificare pentru {app}. A nu se divulga.",
        unnamed: "{code} este codul dvs. de verificare. A nu se divulga.",
        brieflyNamed: "{code} este codul pentru {app}.",
        brieflyUnnamed: "{code} este codul dvs."
    )
}

// Croatian, Polish, Slovenian and Latin Serbian are worded without letters that the GSM alphabet lacks.
extension MessageWording {
    static let bulgarian = MessageWording(
        named: "{code} е вашият код за {app}. Не го споделяйте.",
        unnamed: "{code} е вашият код за потвърждение. Не го споделяйте.",
        brieflyNamed: "{code} е кодът за {app}.",
        brieflyUnnamed: "{code} е вашият код."
    )

    static let croatian = MessageWording(
        named: "{code} je kod za potvrdu za {app}. Nemojte ga dijeliti ni s kim.",
        unnamed: "{code} je kod za potvrdu. Nemojte ga dijeliti ni s kim.",
        brieflyNamed: "{code} je kod za {app}.",
        brieflyUnnamed: "{code} je kod za potvrdu."
    )

    static let czech = MessageWording(
        named: "{code} je váš kód pro {app}. Nikomu ho nesdělujte.",
        unnamed: "{code} je váš ověřovací kód. Nikomu ho nesdělujte.",
        brieflyNamed: "{code} je kód pro {app}.",
        brieflyUnnamed: "{code} je váš kód."
    )

    static let latinSerbian = MessageWording(
        named: "{code} je kod za potvrdu za {app}. Ne delite ga ni sa kim.",
        unnamed: "{code} je kod za potvrdu. Ne delite ga ni sa kim.",
        brieflyNamed: "{code} je kod za {app}.",
        brieflyUnnamed: "{code} je kod za potvrdu."
    )

    static let polish = MessageWording(
        named: "{code} to kod weryfikacyjny {app}. Nie podawaj go nikomu.",
        unnamed: "{code} to kod weryfikacyjny. Nie podawaj go nikomu.",
        brieflyNamed: "{code} to kod {app}.",
        brieflyUnnamed: "{code} to kod weryfikacyjny."
    )

    static let serbian = MessageWording(
        named: "{code} је код за {app}. Не делите га ни са ким.",
        unnamed: "{code} је код за потврду. Не делите га ни са ким.",
        brieflyNamed: "{code} је код за {app}.",
        brieflyUnnamed: "{code} је код за потврду."
    )

    static let slovak = MessageWording(
        named: "{code} je váš kód pre {app}. Nikomu ho neprezrádzajte.",
        unnamed: "{code} je váš overovací kód. Nikomu ho neprezrádzajte.",
        brieflyNamed: "{code} je kód pre {app}.",
        brieflyUnnamed: "{code} je váš kód."
    )

    static let slovenian = MessageWording(
        named: "{code} je potrditvena koda za {app}. Ne delite je z nikomer.",
        unnamed: "{code} je potrditvena koda. Ne delite je z nikomer.",
        brieflyNamed: "{code} je koda za {app}.",
        brieflyUnnamed: "{code} je potrditvena koda."
    )

    static let ukrainian = MessageWording(
        named: "{code} — ваш код для {app}. Не розголошуйте його.",
        unnamed: "{code} — ваш код підтвердження. Не розголошуйте його.",
        brieflyNamed: "{code} — код для {app}.",
        brieflyUnnamed: "{code} — ваш код."
    )
}

// Estonian and Finnish are worded in the GSM alphabet, which has ä.
extension MessageWording {
    static let estonian = MessageWording(
        named: "{code} on rakenduse {app} kinnituskood. Ärge jagage seda kellegagi.",
        unnamed: "{code} on teie kinnituskood. Ärge jagage seda kellegagi.",
        brieflyNamed: "{code} on rakenduse {app} kood.",
        brieflyUnnamed: "{code} on teie kood."
    )

    static let finnish = MessageWording(
        named: "{code} on vahvistuskoodisi palveluun {app}. Älä jaa sitä kenellekään.",
        unnamed: "{code} on vahvistuskoodisi. Älä jaa sitä kenellekään.",
        brieflyNamed: "{code} on koodisi palveluun {app}.",
        brieflyUnnamed: "{code} on koodisi."
    )

    static let latvian = MessageWording(
        named: "{code} ir jūsu {app} kods. Neizpaudiet to nevienam.",
        unnamed: "{code} ir jūsu verifikācijas kods. Neizpaudiet to nevienam.",
        brieflyNamed: "{code} ir {app} kods.",
        brieflyUnnamed: "{code} ir jūsu kods."
    )

    static let lithuanian = MessageWording(
        named: "{code} yra jūsų „{app}“ kodas. Niekam jo nesakykite.",
        unnamed: "{code} yra jūsų patvirtinimo kodas. Niekam jo nesakykite.",
        brieflyNamed: "{code} yra „{app}“ kodas.",
        brieflyUnnamed: "{code} yra jūsų kodas."
    )
}

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
}

// A code before the first letter does not affect a text's direction, so these texts begin with the code, like the
// others. Arabic's and Hebrew's do, too.
extension MessageWording {
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

// A letter takes three bytes in UTF-8: the brief forms fit SMS Retriever's 140 bytes.
extension MessageWording {
    static let bengali = MessageWording(
        named: "{code} আপনার {app} যাচাইকরণ কোড। কাউকে বলবেন না।",
        unnamed: "{code} আপনার যাচাইকরণ কোড। এটি কাউকে বলবেন না।",
        brieflyNamed: "{code} আপনার {app} কোড।",
        brieflyUnnamed: "{code} আপনার যাচাইকরণ কোড।"
    )

    static let tamil = MessageWording(
        named: "{code} உங்கள் {app} குறியீடு. யாருடனும் பகிர வேண்டாம்.",
        unnamed: "{code} உங்கள் சரிபார்ப்புக் குறியீடு. யாருடனும் பகிர வேண்டாம்.",
        brieflyNamed: "{code} உங்கள் {app} குறியீடு.",
        brieflyUnnamed: "{code} உங்கள் குறியீடு."
    )
}

// Filipino, Malay and Swahili are written in ASCII.
extension MessageWording {
    static let filipino = MessageWording(
        named: "{code} ang iyong verification code sa {app}. Huwag itong ibahagi sa iba.",
        unnamed: "{code} ang iyong verification code. Huwag itong ibahagi sa iba.",
        brieflyNamed: "{code} ang iyong code sa {app}.",
        brieflyUnnamed: "{code} ang iyong code."
    )

    static let malay = MessageWording(
        named: "{code} ialah kod pengesahan {app} anda. Jangan kongsi dengan sesiapa.",
        unnamed: "{code} ialah kod pengesahan anda. Jangan kongsi dengan sesiapa.",
        brieflyNamed: "{code} ialah kod {app} anda.",
        brieflyUnnamed: "{code} ialah kod anda."
    )

    static let swahili = MessageWording(
        named: "{code} ni msimbo wako wa uthibitishaji wa {app}. Usimpe mtu yeyote.",
        unnamed: "{code} ni msimbo wako wa uthibitishaji. Usimpe mtu yeyote.",
        brieflyNamed: "{code} ni msimbo wako wa {app}.",
        brieflyUnnamed: "{code} ni msimbo wako."
    )

    static let thai = MessageWording(
        named: "{code} คือรหัสยืนยัน {app} ของคุณ ห้ามบอกผู้อื่น",
        unnamed: "{code} คือรหัสยืนยันของคุณ ห้ามบอกผู้อื่น",
        brieflyNamed: "{code} คือรหัส {app}",
        brieflyUnnamed: "{code} คือรหัสยืนยันของคุณ"
    )

    static let vietnamese = MessageWording(
        named: "{code} là mã xác minh {app}. Không chia sẻ mã này.",
        unnamed: "{code} là mã xác minh của bạn. Không chia sẻ mã này.",
        brieflyNamed: "{code} là mã {app}.",
        brieflyUnnamed: "{code} là mã xác minh."
    )
}
