extension SharedText {
    var german: String {
        switch self {
        case .title: "Anmelden"
        case .number: "Telefonnummer"
        case .country: "Land oder Region"
        case .search: "Suchen"
        case .noCountry: "Nichts gefunden"
        case .send: "Code senden"
        case .checking: "Wir prüfen, ob du ein Roboter bist …"
        case .codeTitle: "Code eingeben"
        case .codeSent: "Wir haben eine Nachricht an {number} gesendet."
        case .code: "Code"
        case .verify: "Bestätigen"
        case .resend: "Noch einmal senden"
        case .resendIn: "Noch einmal senden in {time}"
        case .resent: "Wir haben den Code noch einmal gesendet."
        case .callMe: "Stattdessen anrufen"
        case .sendBy: "Per {name} senden"
        case .changeNumber: "Nummer ändern"
        case .email: "E-Mail-Adresse"
        case .password: "Passwort"
        case .usePassword: "E-Mail und Passwort verwenden"
        case .usePhone: "Telefonnummer verwenden"
        case .factorTitle: "Noch ein Schritt"
        case .factorChoice: "Wie möchtest du bestätigen, dass du es bist?"
        case .factorPhone: "Nachricht an {number}"
        case .factorApp: "Authenticator-App"
        case .appDetail: "Öffne deine Authenticator-App und gib den Code ein, den sie zeigt."
        case .recovery: "Wiederherstellungscode"
        case .recoveryDetail: "Gib einen der Wiederherstellungscodes ein, die du gespeichert hast."
        case .otherWay: "Anders bestätigen"
        case .startOver: "Von vorn beginnen"
        case .doneTitle: "Du bist angemeldet"
        case .signOut: "Abmelden"
        case .offline: "Du bist offline. Wir machen weiter, sobald die Verbindung wieder da ist."
        case .invalidNumber: "Das ist keine gültige Telefonnummer."
        case .tooShort: "Diese Telefonnummer ist zu kurz."
        case .tooLong: "Diese Telefonnummer ist zu lang."
        case .regionNotAllowed: "In dieses Land oder diese Region können wir keine Nachrichten senden."
        case .notAllowed: "Diese Art der Anmeldung ist nicht verfügbar."
        case .tooManyRequestsFor: "Zu viele Versuche. Versuche es in {time} noch einmal."
        case .secondFactorUser:
            "Diese Nummer ist durch einen zweiten Schritt geschützt. Melde dich mit E-Mail-Adresse und Passwort an."
        case .disabled: "Dieses Konto ist gesperrt. Bitte wende dich an den Support."
        case .wrongCode: "Dieser Code ist nicht richtig."
        case .attemptsLeft: "Verbleibende Versuche: {number}"
        case .codeIncomplete: "Der Code hat {number} Ziffern."
        case .codeExpired: "Dieser Code gilt nicht mehr. Fordere einen neuen an."
        case .attemptsSpent: "Zu viele falsche Codes. Fordere einen neuen an."
        case .wrongPassword: "E-Mail-Adresse oder Passwort ist nicht richtig."
        case .invalidEmail: "Das ist keine gültige E-Mail-Adresse."
        case .missing: "Bitte fülle dieses Feld aus."
        case .numberRecycled: "Diese Nummer wurde lange nicht benutzt. Bitte melde dich auf andere Weise an."
        case .refused: "Die App hat diese Anmeldung nicht erlaubt."
        case .startAgain: "Das hat zu lange gedauert. Bitte beginne von vorn."
        case .linkTitle: "Füge deine Telefonnummer hinzu"
        case .confirmTitle: "Bestätige, dass du es bist"
        case .numberTaken: "Diese Nummer gehört zu einem anderen Konto."
        case .otherAccount: "Das ist nicht das Konto, mit dem du angemeldet bist."
        case .signInAgain: "Melde dich zu deiner Sicherheit bitte zuerst noch einmal an."
        case .factorExists: "Diese Nummer ist schon ein zweiter Schritt."
        case .factorLimit: "Mehr zweite Schritte sind nicht möglich."
        case .unverifiedEmail:
            "Deine E-Mail-Adresse muss bestätigt sein, bevor du einen zweiten Schritt hinzufügen kannst."
        case .reference: "Referenz {reference}"
        case .confirm: "Bitte zeige, dass du ein Mensch bist."
        case .networkFailed: "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal."
        case .serverFailed: "Der Server hat ein Problem. Versuche es gleich noch einmal."
        case .checkFailed: "Die Prüfung wurde nicht bestanden. Versuche es noch einmal."
        case .tooManyRequests: "Zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal."
        case .tryAgain: "Noch einmal versuchen"
        case .forgotPassword: "Passwort vergessen?"
        case .resetSent:
            "Wenn es ein Konto mit {email} gibt, haben wir eine E-Mail dorthin gesendet. Öffne den Link darin, um fortzufahren."
        case .linkSent: "Wir haben eine E-Mail an {email} gesendet. Öffne den Link darin, um fortzufahren."
        case .sendLink: "Link senden"
        case .useLink: "Mit einem Link per E-Mail anmelden"
        case .linkExpired: "Dieser Link gilt nicht mehr. Fordere einen neuen an."
        case .emailTaken: "Diese E-Mail-Adresse gehört zu einem anderen Konto."
        case .workingHeading: "Einen Moment"
        case .cancel: "Abbrechen"
        case .notice: "Wir senden dir eine Nachricht mit einem Code. Dein Anbieter kann sie berechnen."
        case .notSaved: "Die Anmeldung konnte auf diesem Gerät nicht gespeichert werden. Versuche es noch einmal."
        }
    }
}

extension PageText {
    var german: String {
        switch self {
        case .accountTitle: "Dein Konto"
        case .name: "Name"
        case .sessions: "Wo du angemeldet bist"
        case .thisSession: "Dieses Gerät"
        case .unknownDevice: "Unbekanntes Gerät"
        case .signedInAt: "Angemeldet am {time}"
        case .usedAt: "Zuletzt benutzt am {time}"
        case .otherNetwork: "Zuletzt aus einem anderen Netz benutzt als bei der Anmeldung"
        case .endSession: "Sitzung beenden"
        case .sessionEnded: "Die Sitzung ist beendet."
        case .signOutEverywhere: "Überall abmelden"
        case .everywhereDetail: "Damit enden deine Sitzungen auf allen Geräten, auch hier."
        case .secondSteps: "Zweiter Schritt"
        case .secondStepsDetail: "Beim Anmelden fragen wir außer nach dem Passwort auch danach."
        case .noSecondStep: "Mit einem zweiten Schritt reicht dein Passwort allein nicht zum Anmelden."
        case .addedAt: "Hinzugefügt am {time}"
        case .remove: "Entfernen"
        case .removeTitle: "Diesen zweiten Schritt entfernen?"
        case .removeDetail: "Wir fragen beim Anmelden nicht mehr danach. Deine Sitzungen auf anderen Geräten enden."
        case .factorRemoved: "Der zweite Schritt wurde entfernt."
        case .addPhone: "Telefonnummer hinzufügen"
        case .addApp: "Authenticator-App hinzufügen"
        case .newCodes: "Neue Wieder\u{ad}her\u{ad}stellungs\u{ad}codes"
        case .newCodesDetail: "Du bekommst zehn neue Codes. Die bisherigen gelten dann nicht mehr."
        case .scan: "Scanne diesen Code mit deiner Authenticator-App und gib dann den Code ein, den sie zeigt."
        case .qrCode: "QR-Code für deine Authenticator-App"
        case .keyDetail: "Oder gib diesen Schlüssel in der App ein:"
        case .copy: "Kopieren"
        case .copied: "Kopiert"
        case .factorAdded: "Der zweite Schritt wurde hinzugefügt."
        case .codesTitle: "Deine Wieder\u{ad}her\u{ad}stellungs\u{ad}codes"
        case .codesDetail:
            "Wenn du dein Telefon verlierst, ersetzt jeder dieser Codes einmal den zweiten Schritt. Bewahre sie sicher auf: Sie werden nur jetzt gezeigt."
        case .codesSaved: "Ich habe die Codes gespeichert"
        case .deleteAccount: "Konto löschen"
        case .deleteTitle: "Dein Konto löschen?"
        case .deleteDetail: "Dein Konto wird endgültig gelöscht. Das lässt sich nicht rückgängig machen."
        case .deleted: "Dein Konto wurde gelöscht."
        case .sessionOver: "Deine Sitzung ist beendet. Bitte melde dich noch einmal an."
        case .verifyEmail: "Bestätige deine E\u{2011}Mail\u{2011}Adresse"
        case .linkOpened: "Ich habe den Link geöffnet"
        case .changeEmail: "E-Mail-Adresse ändern"
        case .addEmail: "E-Mail-Adresse hinzufügen"
        case .emailConfirmed: "Deine E-Mail-Adresse ist bestätigt."
        case .verificationTitle: "App-Prüfung"
        case .workingDetail: "Wir prüfen, ob diese Anfrage aus deiner App kommt. Du musst nichts tun."
        case .doneHeading: "Fertig"
        case .doneDetail: "Du kannst jetzt zur App zurückkehren."
        case .returnToApp: "Zur App zurückkehren"
        case .cancelledHeading: "Abgebrochen"
        case .failedHeading: "Das hat nicht geklappt"
        case .backToApp: "Zurück zur App"
        case .noScript: "Diese Seite braucht JavaScript. Schalte es im Browser ein oder geh zurück zur App."
        case .notLoaded:
            "Diese Seite konnte nicht geladen werden. Prüfe deine Verbindung oder nimm einen neueren Browser."
        case .refusedHeading: "Dieser Link funktioniert nicht"
        case .refusedDetail: "Du kannst diese Seite schließen. Wer die App entwickelt, kann den Fehler beheben:"
        case .unknownApp: "Diese App ist auf dem Server nicht registriert."
        case .bundleIDMismatch: "Die Bundle-ID der App passt nicht zu ihrer Registrierung."
        case .schemeNotRegistered: "Diese Client-ID oder App-ID ist nicht für die App registriert."
        case .malformed: "Der Link ist unvollständig oder beschädigt."
        case .resetTitle: "Wähle ein neues Passwort"
        case .newPassword: "Neues Passwort"
        case .showPassword: "Passwort anzeigen"
        case .weakPassword: "Verwende mindestens {number} Zeichen."
        case .recoverTitle: "Deine E\u{2011}Mail\u{2011}Adresse wiederherstellen"
        case .passwordChanged: "Dein Passwort wurde geändert."
        case .emailRestored:
            "Deine E-Mail-Adresse wurde wiederhergestellt. Wenn du sie nicht selbst geändert hast, wähle auch ein neues Passwort."
        }
    }
}

extension MessageWording {
    static let german = MessageWording(
        named: "{code} ist Ihr Bestätigungscode für {app}. Geben Sie ihn nicht weiter.",
        unnamed: "{code} ist Ihr Bestätigungscode. Geben Sie ihn nicht weiter.",
        brieflyNamed: "{code} ist Ihr Code für {app}.",
        brieflyUnnamed: "{code} ist Ihr Code."
    )
}

extension MailWording {
    static let german = MailWording(
        resetPassword: Phrase(
            "Neues Passwort festlegen",
            "Mit diesem Link legst du ein neues Passwort für {email} fest:"
        ),
        verifyEmail: Phrase(
            "Bestätige deine E-Mail-Adresse",
            "Mit diesem Link bestätigst du, dass {email} deine Adresse ist:"
        ),
        signIn: Phrase("Dein Link zum Anmelden", "Mit diesem Link meldest du dich als {email} an:"),
        changeEmail: Phrase(
            "Bestätige deine neue E-Mail-Adresse",
            "Mit diesem Link wird {newEmail} die Adresse deines Kontos:"
        ),
        recoverEmail: Phrase(
            "Deine E-Mail-Adresse wurde geändert",
            "Die Adresse deines Kontos ist jetzt {newEmail}. Wenn du das nicht warst, stellst du mit diesem Link {email} wieder her:"
        ),
        unrequested: "Wenn du das nicht angefordert hast, kannst du diese E-Mail ignorieren."
    )
}
