extension PageTexts {
    static let french = PageTexts(
        title: "Vérification de l’application",
        workingHeading: "Un instant",
        workingDetail: "Nous vérifions que cette demande vient de votre application. Vous n’avez rien à faire.",
        confirmDetail: "Montrez que vous êtes une personne.",
        doneHeading: "Terminé",
        doneDetail: "Vous pouvez maintenant revenir à l’application.",
        returnToApp: "Revenir à l’application",
        cancelledHeading: "Annulé",
        failedHeading: "Cela n’a pas fonctionné",
        checkFailed: "La vérification a échoué. Essayez encore une fois.",
        networkFailed: "Le serveur est inaccessible. Vérifiez votre connexion et réessayez.",
        serverFailed: "Le serveur rencontre un problème. Réessayez dans un instant.",
        tooManyRequests: "Trop de tentatives. Attendez quelques minutes, puis réessayez.",
        tryAgain: "Réessayer",
        backToApp: "Retour à l’application",
        cancel: "Annuler",
        noScript: "Cette page nécessite JavaScript. Activez-le dans le navigateur ou revenez à l’application.",
        notLoaded: "Cette page n’a pas pu être chargée. Vérifiez votre connexion ou utilisez un navigateur récent.",
        refusedHeading: "Ce lien ne fonctionne pas",
        refusedDetail: "Vous pouvez fermer cette page. L’équipe qui développe l’application peut corriger l’erreur :",
        unknownApp: "Cette application n’est pas enregistrée sur le serveur.",
        bundleIDMismatch: "Le bundle ID de l’application ne correspond pas à son enregistrement.",
        schemeNotRegistered: "Ce client ID ou app ID n’est pas enregistré pour l’application.",
        malformed: "Le lien est incomplet ou endommagé."
    )
}
