extension SharedText {
    var italian: String {
        switch self {
        case .title: "Accedi"
        case .number: "Numero di telefono"
        case .country: "Paese o area geografica"
        case .search: "Cerca"
        case .noCountry: "Nessun risultato"
        case .send: "Invia codice"
        case .checking: "Stiamo verificando che tu non sia un robot…"
        case .codeTitle: "Inserisci il codice"
        case .codeSent: "Abbiamo inviato un messaggio al numero {number}."
        case .code: "Codice"
        case .verify: "Conferma"
        case .resend: "Invia di nuovo"
        case .resendIn: "Invia di nuovo tra {time}"
        case .resent: "Abbiamo inviato di nuovo il codice."
        case .callMe: "Chiamami invece"
        case .sendBy: "Invia tramite {name}"
        case .changeNumber: "Cambia numero"
        case .email: "Indirizzo e-mail"
        case .password: "Password"
        case .usePassword: "Usa e-mail e password"
        case .usePhone: "Usa un numero di telefono"
        case .factorTitle: "Ancora un passaggio"
        case .factorChoice: "Come vuoi confermare la tua identità?"
        case .factorPhone: "Messaggio al numero {number}"
        case .factorApp: "App di autenticazione"
        case .appDetail: "Apri la tua app di autenticazione e inserisci il codice che mostra."
        case .recovery: "Codice di recupero"
        case .recoveryDetail: "Inserisci uno dei codici di recupero che hai salvato."
        case .otherWay: "Conferma in un altro modo"
        case .startOver: "Ricomincia"
        case .doneTitle: "Hai effettuato l’accesso"
        case .signOut: "Esci"
        case .offline: "Sei offline. Continueremo appena torna la connessione."
        case .invalidNumber: "Questo numero di telefono non è valido."
        case .tooShort: "Questo numero di telefono è troppo corto."
        case .tooLong: "Questo numero di telefono è troppo lungo."
        case .regionNotAllowed: "Non possiamo inviare messaggi in questo paese o area."
        case .notAllowed: "Questo modo di accedere non è disponibile."
        case .tooManyRequestsFor: "Troppi tentativi. Riprova tra {time}."
        case .secondFactorUser:
            "Questo numero è protetto da un secondo passaggio. Accedi con il tuo indirizzo e-mail e la password."
        case .disabled: "Questo account è disattivato. Contatta l’assistenza."
        case .wrongCode: "Questo codice non è corretto."
        case .attemptsLeft: "Tentativi rimasti: {number}"
        case .codeIncomplete: "Il codice ha {number} cifre."
        case .codeExpired: "Questo codice non è più valido. Richiedine uno nuovo."
        case .attemptsSpent: "Troppi codici errati. Richiedine uno nuovo."
        case .wrongPassword: "L’indirizzo e-mail o la password non è corretta."
        case .invalidEmail: "Questo indirizzo e-mail non è valido."
        case .missing: "Compila questo campo."
        case .numberRecycled: "Questo numero non viene usato da molto tempo. Accedi in un altro modo."
        case .refused: "L’app non ha consentito questo accesso."
        case .startAgain: "È passato troppo tempo. Ricomincia."
        case .linkTitle: "Aggiungi il tuo numero di telefono"
        case .confirmTitle: "Conferma la tua identità"
        case .numberTaken: "Questo numero appartiene a un altro account."
        case .otherAccount: "Questo non è l’account con cui hai effettuato l’accesso."
        case .signInAgain: "Per la tua sicurezza, accedi prima di nuovo."
        case .factorExists: "Questo numero è già un secondo passaggio."
        case .factorLimit: "Non si possono aggiungere altri secondi passaggi."
        case .unverifiedEmail:
            "Il tuo indirizzo e-mail deve essere confermato prima di aggiungere un secondo passaggio."
        case .reference: "Riferimento {reference}"
        case .confirm: "Dimostra di essere una persona."
        case .networkFailed: "Impossibile raggiungere il server. Controlla la connessione e riprova."
        case .serverFailed: "Il server ha un problema. Riprova tra un momento."
        case .checkFailed: "Il controllo non è stato superato. Prova ancora una volta."
        case .tooManyRequests: "Troppi tentativi. Aspetta qualche minuto e riprova."
        case .tryAgain: "Riprova"
        case .forgotPassword: "Hai dimenticato la password?"
        case .resetSent:
            "Se {email} ha un account, abbiamo inviato un’e-mail a questo indirizzo. Apri il link che contiene per continuare."
        case .linkSent: "Abbiamo inviato un’e-mail a {email}. Apri il link che contiene per continuare."
        case .sendLink: "Invia link"
        case .useLink: "Accedi con un link via e-mail"
        case .linkExpired: "Questo link non è più valido. Richiedine uno nuovo."
        case .emailTaken: "Questo indirizzo e-mail appartiene a un altro account."
        case .workingHeading: "Un momento"
        case .cancel: "Annulla"
        case .notice: "Ti invieremo un messaggio con un codice. L’operatore potrebbe addebitarlo."
        case .notSaved: "Impossibile salvare l’accesso su questo dispositivo. Riprova."
        }
    }
}

extension PageText {
    var italian: String {
        switch self {
        case .accountTitle: "Il tuo account"
        case .name: "Nome"
        case .sessions: "Dove hai effettuato l’accesso"
        case .thisSession: "Questo dispositivo"
        case .unknownDevice: "Dispositivo sconosciuto"
        case .signedInAt: "Accesso il {time}"
        case .usedAt: "Ultimo uso il {time}"
        case .otherNetwork: "Ultimo uso da una rete diversa da quella dell’accesso"
        case .endSession: "Termina sessione"
        case .sessionEnded: "La sessione è terminata."
        case .signOutEverywhere: "Esci ovunque"
        case .everywhereDetail: "Termina le tue sessioni su tutti i dispositivi, anche qui."
        case .secondSteps: "Secondo passaggio"
        case .secondStepsDetail: "Quando accedi, oltre alla password chiediamo uno di questi."
        case .noSecondStep: "Con un secondo passaggio la sola password non basta per accedere."
        case .addedAt: "Aggiunto il {time}"
        case .remove: "Rimuovi"
        case .removeTitle: "Rimuovere questo secondo passaggio?"
        case .removeDetail: "Non lo chiederemo più all’accesso. Le tue sessioni su altri dispositivi terminano."
        case .factorRemoved: "Il secondo passaggio è stato rimosso."
        case .addPhone: "Aggiungi un numero di telefono"
        case .addApp: "Aggiungi un’app di autenticazione"
        case .newCodes: "Nuovi codici di recupero"
        case .newCodesDetail: "Ricevi dieci nuovi codici. Quelli attuali non funzioneranno più."
        case .scan: "Scansiona questo codice con la tua app di autenticazione, poi inserisci il codice che mostra."
        case .qrCode: "Codice QR per la tua app di autenticazione"
        case .keyDetail: "Oppure inserisci questa chiave nell’app:"
        case .copy: "Copia"
        case .copied: "Copiato"
        case .factorAdded: "Il secondo passaggio è stato aggiunto."
        case .codesTitle: "I tuoi codici di recupero"
        case .codesDetail:
            "Se perdi il telefono, ognuno di questi codici sostituisce una volta il secondo passaggio. Conservali in un luogo sicuro: vengono mostrati solo adesso."
        case .codesSaved: "Ho salvato i codici"
        case .deleteAccount: "Elimina l’account"
        case .deleteTitle: "Eliminare il tuo account?"
        case .deleteDetail: "Il tuo account viene eliminato per sempre. Non si può annullare."
        case .deleted: "Il tuo account è stato eliminato."
        case .sessionOver: "La tua sessione è terminata. Accedi di nuovo."
        case .verifyEmail: "Conferma il tuo indirizzo e\u{2011}mail"
        case .linkOpened: "Ho aperto il link"
        case .changeEmail: "Cambia indirizzo e-mail"
        case .addEmail: "Aggiungi un indirizzo e-mail"
        case .emailConfirmed: "Il tuo indirizzo e-mail è confermato."
        case .verificationTitle: "Verifica dell’app"
        case .workingDetail: "Stiamo controllando che questa richiesta provenga dalla tua app. Non devi fare nulla."
        case .doneHeading: "Fatto"
        case .doneDetail: "Ora puoi tornare all’app."
        case .returnToApp: "Torna all’app"
        case .cancelledHeading: "Annullato"
        case .failedHeading: "Non ha funzionato"
        case .backToApp: "Ritorna all’app"
        case .noScript:
            "Questa pagina ha bisogno di JavaScript. Attivalo nelle impostazioni del browser o torna all’app."
        case .notLoaded: "Impossibile caricare questa pagina. Controlla la connessione o usa un browser più recente."
        case .refusedHeading: "Questo link non funziona"
        case .refusedDetail: "Puoi chiudere questa pagina. Chi sviluppa l’app può correggere l’errore:"
        case .unknownApp: "Questa app non è registrata sul server."
        case .bundleIDMismatch: "Il bundle ID dell’app non corrisponde alla registrazione."
        case .schemeNotRegistered: "Questo client ID o app ID non è registrato per l’app."
        case .malformed: "Il link è incompleto o danneggiato."
        case .resetTitle: "Scegli una nuova password"
        case .newPassword: "Nuova password"
        case .showPassword: "Mostra password"
        case .weakPassword: "Usa almeno {number} caratteri."
        case .recoverTitle: "Ripristina il tuo indirizzo e\u{2011}mail"
        case .passwordChanged: "La tua password è stata cambiata."
        case .emailRestored:
            "Il tuo indirizzo e-mail è stato ripristinato. Se non l’hai cambiato tu, scegli anche una nuova password."
        }
    }
}

extension MessageWording {
    static let italian = MessageWording(
        named: "{code} è il codice di verifica per {app}. Non condividerlo con nessuno.",
        unnamed: "{code} è il codice di verifica. Non condividerlo con nessuno.",
        brieflyNamed: "{code} è il codice per {app}.",
        brieflyUnnamed: "{code} è il codice di verifica."
    )
}

extension MailWording {
    static let italian = MailWording(
        resetPassword: Phrase(
            "Reimposta la tua password",
            "Usa questo link per scegliere una nuova password per {email}:"
        ),
        verifyEmail: Phrase(
            "Verifica il tuo indirizzo e-mail",
            "Usa questo link per confermare che {email} è il tuo indirizzo:"
        ),
        signIn: Phrase("Il tuo link di accesso", "Usa questo link per accedere come {email}:"),
        changeEmail: Phrase(
            "Conferma il tuo nuovo indirizzo e-mail",
            "Usa questo link per fare di {newEmail} l’indirizzo del tuo account:"
        ),
        recoverEmail: Phrase(
            "Il tuo indirizzo e-mail è cambiato",
            "L’indirizzo del tuo account ora è {newEmail}. Se non sei stato tu, usa questo link per ripristinare {email}:"
        ),
        unrequested: "Se non l’hai chiesto tu, puoi ignorare questa e-mail."
    )
}
