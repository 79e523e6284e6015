// The GSM alphabet has à, è, é, ì, ò and ù, but no ó. It suits French, Italian, Catalan and Romanian as worded here.
// Spanish uses “código”, the word that people and phones look for. Only its brief form uses “clave”, so that the line
// with a domain fits into the same segment.
extension MessageWording {
    static let catalan = MessageWording(
        named: "{code} és el vostre codi de seguretat per a {app}. No el compartiu.",
        unnamed: "{code} és el vostre codi de seguretat. No el compartiu.",
        brieflyNamed: "{code} és el codi per a {app}.",
        brieflyUnnamed: "{code} és el vostre codi."
    )

    static let spanish = MessageWording(
        named: "{code} es su código para {app}. No lo comparta.",
        unnamed: "{code} es su código de verificación. No lo comparta con nadie.",
        brieflyNamed: "{code} es su clave para {app}.",
        brieflyUnnamed: "{code} es su clave."
    )

    static let french = MessageWording(
        named: "{code} est votre code de vérification {app}. Ne le communiquez à personne.",
        unnamed: "{code} est votre code de vérification. Ne le communiquez à personne.",
        brieflyNamed: "{code} est votre code {app}.",
        brieflyUnnamed: "{code} est votre code."
    )

    static let italian = MessageWording(
        named: "{code} è il codice di verifica per {app}. Non condividerlo con nessuno.",
        unnamed: "{code} è il codice di verifica. Non condividerlo con nessuno.",
        brieflyNamed: "{code} è il codice per {app}.",
        brieflyUnnamed: "{code} è il codice di verifica."
    )

    static let portuguese = MessageWording(
        named: "{code} é seu código para {app}. Não o compartilhe.",
        unnamed: "{code} é seu código de verificação. Não o compartilhe.",
        brieflyNamed: "{code} é seu código para {app}.",
        brieflyUnnamed: "{code} é seu código."
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
