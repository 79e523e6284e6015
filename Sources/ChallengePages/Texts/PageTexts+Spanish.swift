extension PageTexts {
    static let spanish = PageTexts(
        title: "Verificación de la app",
        workingHeading: "Un momento",
        workingDetail: "Estamos comprobando que esta solicitud viene de tu app. No tienes que hacer nada.",
        confirmDetail: "Demuestra que eres una persona.",
        doneHeading: "Listo",
        doneDetail: "Ya puedes volver a la app.",
        returnToApp: "Volver a la app",
        cancelledHeading: "Cancelado",
        failedHeading: "No ha funcionado",
        checkFailed: "No se ha superado la comprobación. Inténtalo una vez más.",
        networkFailed: "No se puede acceder al servidor. Revisa tu conexión e inténtalo de nuevo.",
        serverFailed: "El servidor tiene un problema. Inténtalo de nuevo dentro de un momento.",
        tooManyRequests: "Demasiados intentos. Espera unos minutos e inténtalo de nuevo.",
        tryAgain: "Intentar de nuevo",
        backToApp: "Regresar a la app",
        cancel: "Cancelar",
        noScript: "Esta página necesita JavaScript. Actívalo en los ajustes del navegador o vuelve a la app.",
        notLoaded: "No se ha podido cargar esta página. Revisa tu conexión o usa un navegador más reciente.",
        refusedHeading: "Este enlace no funciona",
        refusedDetail: "Puedes cerrar esta página. Quien desarrolla la app puede corregirlo:",
        unknownApp: "Esta app no está registrada en el servidor.",
        bundleIDMismatch: "El bundle ID de la app no coincide con su registro.",
        schemeNotRegistered: "Este client ID o app ID no está registrado para la app.",
        malformed: "El enlace está incompleto o dañado."
    )
}
