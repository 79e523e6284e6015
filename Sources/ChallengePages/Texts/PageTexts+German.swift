extension PageTexts {
    static let german = PageTexts(
        title: "App-Prüfung",
        workingHeading: "Einen Moment",
        workingDetail: "Wir prüfen, ob diese Anfrage aus deiner App kommt. Du musst nichts tun.",
        confirmDetail: "Bitte zeige, dass du ein Mensch bist.",
        doneHeading: "Fertig",
        doneDetail: "Du kannst jetzt zur App zurückkehren.",
        returnToApp: "Zur App zurückkehren",
        cancelledHeading: "Abgebrochen",
        failedHeading: "Das hat nicht geklappt",
        checkFailed: "Die Prüfung wurde nicht bestanden. Versuche es noch einmal.",
        networkFailed: "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.",
        serverFailed: "Der Server hat ein Problem. Versuche es gleich noch einmal.",
        tooManyRequests: "Zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal.",
        tryAgain: "Noch einmal versuchen",
        backToApp: "Zurück zur App",
        cancel: "Abbrechen",
        noScript: "Diese Seite braucht JavaScript. Schalte es im Browser ein oder geh zurück zur App.",
        notLoaded: "Diese Seite konnte nicht geladen werden. Prüfe deine Verbindung oder nimm einen neueren Browser.",
        refusedHeading: "Dieser Link funktioniert nicht",
        refusedDetail: "Du kannst diese Seite schließen. Wer die App entwickelt, kann den Fehler beheben:",
        unknownApp: "Diese App ist auf dem Server nicht registriert.",
        bundleIDMismatch: "Die Bundle-ID der App passt nicht zu ihrer Registrierung.",
        schemeNotRegistered: "Diese Client-ID oder App-ID ist nicht für die App registriert.",
        malformed: "Der Link ist unvollständig oder beschädigt."
    )
}
