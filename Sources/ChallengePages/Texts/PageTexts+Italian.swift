extension PageTexts {
    static let italian = PageTexts(
        title: "Verifica dell’app",
        workingHeading: "Un momento",
        workingDetail: "Stiamo controllando che questa richiesta provenga dalla tua app. Non devi fare nulla.",
        confirmDetail: "Dimostra di essere una persona.",
        doneHeading: "Fatto",
        doneDetail: "Ora puoi tornare all’app.",
        returnToApp: "Torna all’app",
        cancelledHeading: "Annullato",
        failedHeading: "Non ha funzionato",
        checkFailed: "Il controllo non è stato superato. Prova ancora una volta.",
        networkFailed: "Impossibile raggiungere il server. Controlla la connessione e riprova.",
        serverFailed: "Il server ha un problema. Riprova tra un momento.",
        tooManyRequests: "Troppi tentativi. Aspetta qualche minuto e riprova.",
        tryAgain: "Riprova",
        backToApp: "Ritorna all’app",
        cancel: "Annulla",
        noScript: "Questa pagina ha bisogno di JavaScript. Attivalo nelle impostazioni del browser o torna all’app.",
        notLoaded: "Impossibile caricare questa pagina. Controlla la connessione o usa un browser più recente.",
        refusedHeading: "Questo link non funziona",
        refusedDetail: "Puoi chiudere questa pagina. Chi sviluppa l’app può correggere l’errore:",
        unknownApp: "Questa app non è registrata sul server.",
        bundleIDMismatch: "Il bundle ID dell’app non corrisponde alla registrazione.",
        schemeNotRegistered: "Questo client ID o app ID non è registrato per l’app.",
        malformed: "Il link è incompleto o danneggiato."
    )
}
