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

    static let russian = MessageWording(
        named: "{code} — ваш код для {app}. Никому его не сообщайте.",
        unnamed: "{code} — ваш код подтверждения. Никому его не сообщайте.",
        brieflyNamed: "{code} — код для {app}.",
        brieflyUnnamed: "{code} — ваш код."
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
