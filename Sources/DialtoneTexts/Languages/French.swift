extension SharedText {
    var french: String {
        switch self {
        case .title: "Connexion"
        case .number: "Numéro de téléphone"
        case .country: "Pays ou région"
        case .search: "Rechercher"
        case .noCountry: "Aucun résultat"
        case .send: "Envoyer le code"
        case .checking: "Nous vérifions que vous n’êtes pas un robot…"
        case .codeTitle: "Saisissez le code"
        case .codeSent: "Nous avons envoyé un message au {number}."
        case .code: "Code"
        case .verify: "Confirmer"
        case .resend: "Renvoyer"
        case .resendIn: "Renvoyer dans {time}"
        case .resent: "Nous avons renvoyé le code."
        case .callMe: "M’appeler plutôt"
        case .sendBy: "Envoyer par {name}"
        case .changeNumber: "Changer de numéro"
        case .email: "Adresse e-mail"
        case .password: "Mot de passe"
        case .usePassword: "Utiliser l’e-mail et le mot de passe"
        case .usePhone: "Utiliser un numéro de téléphone"
        case .factorTitle: "Encore une étape"
        case .factorChoice: "Comment voulez-vous confirmer votre identité ?"
        case .factorPhone: "Message au {number}"
        case .factorApp: "Application d’authentification"
        case .appDetail: "Ouvrez votre application d’authentification et saisissez le code affiché."
        case .recovery: "Code de récupération"
        case .recoveryDetail: "Saisissez l’un des codes de récupération que vous avez conservés."
        case .otherWay: "Confirmer autrement"
        case .startOver: "Recommencer"
        case .doneTitle: "Vous êtes connecté"
        case .signOut: "Se déconnecter"
        case .offline: "Vous êtes hors ligne. Nous continuerons dès que la connexion sera rétablie."
        case .invalidNumber: "Ce numéro de téléphone n’est pas valide."
        case .tooShort: "Ce numéro de téléphone est trop court."
        case .tooLong: "Ce numéro de téléphone est trop long."
        case .regionNotAllowed: "Nous ne pouvons pas envoyer de messages vers ce pays ou cette région."
        case .notAllowed: "Ce mode de connexion n’est pas disponible."
        case .tooManyRequestsFor: "Trop de tentatives. Réessayez dans {time}."
        case .secondFactorUser:
            "Ce numéro est protégé par une deuxième étape. Connectez-vous avec votre adresse e-mail et votre mot de passe."
        case .disabled: "Ce compte est désactivé. Veuillez contacter l’assistance."
        case .wrongCode: "Ce code n’est pas correct."
        case .attemptsLeft: "Tentatives restantes : {number}"
        case .codeIncomplete: "Le code comporte {number} chiffres."
        case .codeExpired: "Ce code n’est plus valable. Demandez-en un nouveau."
        case .attemptsSpent: "Trop de codes incorrects. Demandez-en un nouveau."
        case .wrongPassword: "L’adresse e-mail ou le mot de passe est incorrect."
        case .invalidEmail: "Cette adresse e-mail n’est pas valide."
        case .missing: "Veuillez remplir ce champ."
        case .numberRecycled: "Ce numéro n’a pas été utilisé depuis longtemps. Connectez-vous d’une autre manière."
        case .refused: "L’application n’a pas autorisé cette connexion."
        case .startAgain: "Cela a pris trop de temps. Veuillez recommencer."
        case .linkTitle: "Ajoutez votre numéro de téléphone"
        case .confirmTitle: "Confirmez votre identité"
        case .numberTaken: "Ce numéro appartient à un autre compte."
        case .otherAccount: "Ce n’est pas le compte auquel vous êtes connecté."
        case .signInAgain: "Pour votre sécurité, veuillez d’abord vous reconnecter."
        case .factorExists: "Ce numéro est déjà une deuxième étape."
        case .factorLimit: "Impossible d’ajouter d’autres deuxièmes étapes."
        case .unverifiedEmail: "Votre adresse e-mail doit être confirmée avant d’ajouter une deuxième étape."
        case .reference: "Référence {reference}"
        case .confirm: "Montrez que vous êtes une personne."
        case .networkFailed: "Le serveur est inaccessible. Vérifiez votre connexion et réessayez."
        case .serverFailed: "Le serveur rencontre un problème. Réessayez dans un instant."
        case .checkFailed: "La vérification a échoué. Essayez encore une fois."
        case .tooManyRequests: "Trop de tentatives. Attendez quelques minutes, puis réessayez."
        case .tryAgain: "Réessayer"
        case .forgotPassword: "Mot de passe oublié ?"
        case .resetSent:
            "Si un compte existe pour {email}, nous y avons envoyé un e-mail. Ouvrez le lien qu’il contient pour continuer."
        case .linkSent: "Nous avons envoyé un e-mail à {email}. Ouvrez le lien qu’il contient pour continuer."
        case .sendLink: "Envoyer le lien"
        case .useLink: "Se connecter avec un lien par e-mail"
        case .linkExpired: "Ce lien n’est plus valable. Demandez-en un nouveau."
        case .emailTaken: "Cette adresse e-mail appartient à un autre compte."
        case .workingHeading: "Un instant"
        case .cancel: "Annuler"
        case .notice: "Nous vous enverrons un message avec un code. Votre opérateur peut le facturer."
        case .notSaved: "La connexion n’a pas pu être enregistrée sur cet appareil. Réessayez."
        }
    }
}

extension PageText {
    var french: String {
        switch self {
        case .accountTitle: "Votre compte"
        case .name: "Nom"
        case .sessions: "Vos sessions ouvertes"
        case .thisSession: "Cet appareil"
        case .unknownDevice: "Appareil inconnu"
        case .signedInAt: "Connexion le {time}"
        case .usedAt: "Dernière utilisation le {time}"
        case .otherNetwork: "Dernière utilisation depuis un autre réseau que lors de la connexion"
        case .endSession: "Fermer la session"
        case .sessionEnded: "La session est fermée."
        case .signOutEverywhere: "Se déconnecter partout"
        case .everywhereDetail: "Cela ferme vos sessions sur tous les appareils, ici aussi."
        case .secondSteps: "Deuxième étape"
        case .secondStepsDetail: "Lors de la connexion, nous demandons l’une de ces preuves en plus du mot de passe."
        case .noSecondStep: "Avec une deuxième étape, votre mot de passe seul ne suffit pas pour vous connecter."
        case .addedAt: "Ajouté le {time}"
        case .remove: "Supprimer"
        case .removeTitle: "Supprimer cette deuxième étape ?"
        case .removeDetail:
            "Nous ne la demanderons plus lors de la connexion. Vos sessions sur d’autres appareils se ferment."
        case .factorRemoved: "La deuxième étape a été supprimée."
        case .addPhone: "Ajouter un numéro de téléphone"
        case .addApp: "Ajouter une application d’authentification"
        case .newCodes: "Nouveaux codes de récupération"
        case .newCodesDetail: "Vous recevez dix nouveaux codes. Les codes actuels ne fonctionneront plus."
        case .scan: "Scannez ce code avec votre application d’authentification, puis saisissez le code affiché."
        case .qrCode: "Code QR pour votre application d’authentification"
        case .keyDetail: "Ou saisissez cette clé dans l’application :"
        case .copy: "Copier"
        case .copied: "Copié"
        case .factorAdded: "La deuxième étape a été ajoutée."
        case .codesTitle: "Vos codes de récupération"
        case .codesDetail:
            "Si vous perdez votre téléphone, chacun de ces codes remplace une fois la deuxième étape. Conservez-les en lieu sûr : ils ne sont affichés que maintenant."
        case .codesSaved: "J’ai conservé les codes"
        case .deleteAccount: "Supprimer le compte"
        case .deleteTitle: "Supprimer votre compte ?"
        case .deleteDetail: "Votre compte est supprimé définitivement. C’est irréversible."
        case .deleted: "Votre compte a été supprimé."
        case .sessionOver: "Votre session est terminée. Veuillez vous reconnecter."
        case .verifyEmail: "Confirmez votre adresse e\u{2011}mail"
        case .linkOpened: "J’ai ouvert le lien"
        case .changeEmail: "Changer d’adresse e-mail"
        case .addEmail: "Ajouter une adresse e-mail"
        case .emailConfirmed: "Votre adresse e-mail est confirmée."
        case .verificationTitle: "Vérification de l’application"
        case .workingDetail: "Nous vérifions que cette demande vient de votre application. Vous n’avez rien à faire."
        case .doneHeading: "Terminé"
        case .doneDetail: "Vous pouvez maintenant revenir à l’application."
        case .returnToApp: "Revenir à l’application"
        case .cancelledHeading: "Annulé"
        case .failedHeading: "Cela n’a pas fonctionné"
        case .backToApp: "Retour à l’application"
        case .noScript: "Cette page nécessite JavaScript. Activez-le dans le navigateur ou revenez à l’application."
        case .notLoaded:
            "Cette page n’a pas pu être chargée. Vérifiez votre connexion ou utilisez un navigateur récent."
        case .refusedHeading: "Ce lien ne fonctionne pas"
        case .refusedDetail:
            "Vous pouvez fermer cette page. L’équipe qui développe l’application peut corriger l’erreur :"
        case .unknownApp: "Cette application n’est pas enregistrée sur le serveur."
        case .bundleIDMismatch: "Le bundle ID de l’application ne correspond pas à son enregistrement."
        case .schemeNotRegistered: "Ce client ID ou app ID n’est pas enregistré pour l’application."
        case .malformed: "Le lien est incomplet ou endommagé."
        case .resetTitle: "Choisissez un nouveau mot de passe"
        case .newPassword: "Nouveau mot de passe"
        case .showPassword: "Afficher le mot de passe"
        case .weakPassword: "Utilisez au moins {number} caractères."
        case .recoverTitle: "Rétablir votre adresse e\u{2011}mail"
        case .passwordChanged: "Votre mot de passe a été modifié."
        case .emailRestored:
            "Votre adresse e-mail a été rétablie. Si vous ne l’avez pas changée vous-même, choisissez aussi un nouveau mot de passe."
        }
    }
}

extension MessageWording {
    static let french = MessageWording(
        named: "{code} est votre code de vérification {app}. Ne le communiquez à personne.",
        unnamed: "{code} est votre code de vérification. Ne le communiquez à personne.",
        brieflyNamed: "{code} est votre code {app}.",
        brieflyUnnamed: "{code} est votre code."
    )
}

extension MailWording {
    static let french = MailWording(
        resetPassword: Phrase(
            "Réinitialisez votre mot de passe",
            "Utilisez ce lien pour choisir un nouveau mot de passe pour {email} :"
        ),
        verifyEmail: Phrase(
            "Confirmez votre adresse e-mail",
            "Utilisez ce lien pour confirmer que {email} est votre adresse :"
        ),
        signIn: Phrase("Votre lien de connexion", "Utilisez ce lien pour vous connecter en tant que {email} :"),
        changeEmail: Phrase(
            "Confirmez votre nouvelle adresse e-mail",
            "Utilisez ce lien pour que {newEmail} devienne l’adresse de votre compte :"
        ),
        recoverEmail: Phrase(
            "Votre adresse e-mail a changé",
            "L’adresse de votre compte est maintenant {newEmail}. Si ce n’était pas vous, utilisez ce lien pour rétablir {email} :"
        ),
        unrequested: "Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail."
    )
}
