extension SharedText {
    var spanish: String {
        switch self {
        case .title: "Iniciar sesión"
        case .number: "Número de teléfono"
        case .country: "País o región"
        case .search: "Buscar"
        case .noCountry: "Sin resultados"
        case .send: "Enviar código"
        case .checking: "Comprobando que no eres un robot…"
        case .codeTitle: "Introduce el código"
        case .codeSent: "Hemos enviado un mensaje a {number}."
        case .code: "Código"
        case .verify: "Confirmar"
        case .resend: "Enviar de nuevo"
        case .resendIn: "Enviar de nuevo en {time}"
        case .resent: "Hemos enviado el código de nuevo."
        case .callMe: "Llamarme en su lugar"
        case .sendBy: "Enviar por {name}"
        case .changeNumber: "Cambiar el número"
        case .email: "Correo electrónico"
        case .password: "Contraseña"
        case .usePassword: "Usar correo y contraseña"
        case .usePhone: "Usar un número de teléfono"
        case .factorTitle: "Un paso más"
        case .factorChoice: "¿Cómo quieres confirmar que eres tú?"
        case .factorPhone: "Mensaje a {number}"
        case .factorApp: "Aplicación de autenticación"
        case .appDetail: "Abre tu aplicación de autenticación e introduce el código que muestra."
        case .recovery: "Código de recuperación"
        case .recoveryDetail: "Introduce uno de los códigos de recuperación que guardaste."
        case .otherWay: "Confirmar de otra forma"
        case .startOver: "Empezar de nuevo"
        case .doneTitle: "Has iniciado sesión"
        case .signOut: "Cerrar sesión"
        case .offline: "No tienes conexión. Continuaremos en cuanto vuelva."
        case .invalidNumber: "Este número de teléfono no es válido."
        case .tooShort: "Este número de teléfono es demasiado corto."
        case .tooLong: "Este número de teléfono es demasiado largo."
        case .regionNotAllowed: "No podemos enviar mensajes a este país o región."
        case .notAllowed: "Esta forma de iniciar sesión no está disponible."
        case .tooManyRequestsFor: "Demasiados intentos. Inténtalo de nuevo en {time}."
        case .secondFactorUser:
            "Este número está protegido con un segundo paso. Inicia sesión con tu correo electrónico y tu contraseña."
        case .disabled: "Esta cuenta está desactivada. Ponte en contacto con el servicio de asistencia."
        case .wrongCode: "Este código no es correcto."
        case .attemptsLeft: "Intentos restantes: {number}"
        case .codeIncomplete: "El código tiene {number} cifras."
        case .codeExpired: "Este código ya no es válido. Pide uno nuevo."
        case .attemptsSpent: "Demasiados códigos incorrectos. Pide uno nuevo."
        case .wrongPassword: "El correo electrónico o la contraseña no es correcto."
        case .invalidEmail: "Este correo electrónico no es válido."
        case .missing: "Rellena este campo."
        case .numberRecycled: "Este número lleva mucho tiempo sin usarse. Inicia sesión de otra forma."
        case .refused: "La aplicación no ha permitido este inicio de sesión."
        case .startAgain: "Ha tardado demasiado. Empieza de nuevo."
        case .linkTitle: "Añade tu número de teléfono"
        case .confirmTitle: "Confirma que eres tú"
        case .numberTaken: "Este número pertenece a otra cuenta."
        case .otherAccount: "Esta no es la cuenta con la que has iniciado sesión."
        case .signInAgain: "Por tu seguridad, vuelve a iniciar sesión primero."
        case .factorExists: "Este número ya es un segundo paso."
        case .factorLimit: "No se pueden añadir más segundos pasos."
        case .unverifiedEmail: "Tu dirección de correo debe estar confirmada para añadir un segundo paso."
        case .reference: "Referencia {reference}"
        case .confirm: "Demuestra que eres una persona."
        case .networkFailed: "No se puede acceder al servidor. Revisa tu conexión e inténtalo de nuevo."
        case .serverFailed: "El servidor tiene un problema. Inténtalo de nuevo dentro de un momento."
        case .checkFailed: "No se ha superado la comprobación. Inténtalo una vez más."
        case .tooManyRequests: "Demasiados intentos. Espera unos minutos e inténtalo de nuevo."
        case .tryAgain: "Intentar de nuevo"
        case .forgotPassword: "¿Has olvidado tu contraseña?"
        case .resetSent:
            "Si {email} tiene una cuenta, le hemos enviado un correo. Abre el enlace que contiene para continuar."
        case .linkSent: "Hemos enviado un correo a {email}. Abre el enlace que contiene para continuar."
        case .sendLink: "Enviar enlace"
        case .useLink: "Iniciar sesión con un enlace por correo"
        case .linkExpired: "Este enlace ya no es válido. Pide uno nuevo."
        case .emailTaken: "Este correo electrónico pertenece a otra cuenta."
        case .workingHeading: "Un momento"
        case .cancel: "Cancelar"
        case .notice: "Te enviaremos un mensaje con un código. Tu operador puede cobrarlo."
        case .notSaved: "No se ha podido guardar la sesión en este dispositivo. Inténtalo de nuevo."
        }
    }
}

extension PageText {
    var spanish: String {
        switch self {
        case .accountTitle: "Tu cuenta"
        case .name: "Nombre"
        case .sessions: "Dónde has iniciado sesión"
        case .thisSession: "Este dispositivo"
        case .unknownDevice: "Dispositivo desconocido"
        case .signedInAt: "Sesión iniciada el {time}"
        case .usedAt: "Último uso el {time}"
        case .otherNetwork: "Último uso desde una red distinta de la del inicio de sesión"
        case .endSession: "Terminar sesión"
        case .sessionEnded: "La sesión ha terminado."
        case .signOutEverywhere: "Cerrar sesión en todas partes"
        case .everywhereDetail: "Termina tus sesiones en todos los dispositivos, también en este."
        case .secondSteps: "Segundo paso"
        case .secondStepsDetail: "Al iniciar sesión, además de la contraseña pedimos uno de estos."
        case .noSecondStep: "Con un segundo paso, tu contraseña sola no basta para iniciar sesión."
        case .addedAt: "Añadido el {time}"
        case .remove: "Quitar"
        case .removeTitle: "¿Quitar este segundo paso?"
        case .removeDetail: "Ya no lo pediremos al iniciar sesión. Terminan tus sesiones en otros dispositivos."
        case .factorRemoved: "Se ha quitado el segundo paso."
        case .addPhone: "Añadir un número de teléfono"
        case .addApp: "Añadir una aplicación de autenticación"
        case .newCodes: "Nuevos códigos de recuperación"
        case .newCodesDetail: "Recibes diez códigos nuevos. Los que tienes ahora dejan de funcionar."
        case .scan: "Escanea este código con tu aplicación de autenticación e introduce el código que muestra."
        case .qrCode: "Código QR para tu aplicación de autenticación"
        case .keyDetail: "O introduce esta clave en la aplicación:"
        case .copy: "Copiar"
        case .copied: "Copiado"
        case .factorAdded: "Se ha añadido el segundo paso."
        case .codesTitle: "Tus códigos de recuperación"
        case .codesDetail:
            "Si pierdes el teléfono, cada uno de estos códigos sustituye una vez al segundo paso. Guárdalos en un lugar seguro: solo se muestran ahora."
        case .codesSaved: "He guardado los códigos"
        case .deleteAccount: "Eliminar la cuenta"
        case .deleteTitle: "¿Eliminar tu cuenta?"
        case .deleteDetail: "Tu cuenta se elimina para siempre. No se puede deshacer."
        case .deleted: "Se ha eliminado tu cuenta."
        case .sessionOver: "Tu sesión ha terminado. Vuelve a iniciar sesión."
        case .verifyEmail: "Confirma tu correo electrónico"
        case .linkOpened: "He abierto el enlace"
        case .changeEmail: "Cambiar el correo electrónico"
        case .addEmail: "Añadir un correo electrónico"
        case .emailConfirmed: "Tu correo electrónico está confirmado."
        case .verificationTitle: "Verificación de la app"
        case .workingDetail: "Estamos comprobando que esta solicitud viene de tu app. No tienes que hacer nada."
        case .doneHeading: "Listo"
        case .doneDetail: "Ya puedes volver a la app."
        case .returnToApp: "Volver a la app"
        case .cancelledHeading: "Cancelado"
        case .failedHeading: "No ha funcionado"
        case .backToApp: "Regresar a la app"
        case .noScript: "Esta página necesita JavaScript. Actívalo en los ajustes del navegador o vuelve a la app."
        case .notLoaded: "No se ha podido cargar esta página. Revisa tu conexión o usa un navegador más reciente."
        case .refusedHeading: "Este enlace no funciona"
        case .refusedDetail: "Puedes cerrar esta página. Quien desarrolla la app puede corregirlo:"
        case .unknownApp: "Esta app no está registrada en el servidor."
        case .bundleIDMismatch: "El bundle ID de la app no coincide con su registro."
        case .schemeNotRegistered: "Este client ID o app ID no está registrado para la app."
        case .malformed: "El enlace está incompleto o dañado."
        case .resetTitle: "Elige una contraseña nueva"
        case .newPassword: "Contraseña nueva"
        case .showPassword: "Mostrar la contraseña"
        case .weakPassword: "Usa al menos {number} caracteres."
        case .recoverTitle: "Recupera tu correo electrónico"
        case .passwordChanged: "Tu contraseña se ha cambiado."
        case .emailRestored:
            "Tu correo electrónico se ha recuperado. Si no lo cambiaste tú, elige también una contraseña nueva."
        }
    }
}

// “código” is the word that people and phones look for. Only the brief form uses “clave”, so that the line with a
// domain fits into the same segment.
extension MessageWording {
    static let spanish = MessageWording(
        named: "{code} es su código para {app}. No lo comparta.",
        unnamed: "{code} es su código de verificación. No lo comparta con nadie.",
        brieflyNamed: "{code} es su clave para {app}.",
        brieflyUnnamed: "{code} es su clave."
    )
}

extension MailWording {
    static let spanish = MailWording(
        resetPassword: Phrase(
            "Restablece tu contraseña",
            "Usa este enlace para elegir una contraseña nueva para {email}:"
        ),
        verifyEmail: Phrase(
            "Verifica tu correo electrónico",
            "Usa este enlace para confirmar que {email} es tu dirección:"
        ),
        signIn: Phrase("Tu enlace para iniciar sesión", "Usa este enlace para iniciar sesión como {email}:"),
        changeEmail: Phrase(
            "Confirma tu nuevo correo electrónico",
            "Usa este enlace para que {newEmail} sea la dirección de tu cuenta:"
        ),
        recoverEmail: Phrase(
            "Tu correo electrónico ha cambiado",
            "La dirección de tu cuenta ahora es {newEmail}. Si no has sido tú, usa este enlace para recuperar {email}:"
        ),
        unrequested: "Si no has pedido esto, puedes ignorar este correo."
    )
}
