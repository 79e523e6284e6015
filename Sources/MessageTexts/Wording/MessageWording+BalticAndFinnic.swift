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
