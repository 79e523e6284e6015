extension SharedText {
    var portuguese: String {
        switch self {
        case .title: "Entrar"
        case .number: "Número de telefone"
        case .country: "País ou região"
        case .search: "Pesquisar"
        case .noCountry: "Nada encontrado"
        case .send: "Enviar código"
        case .checking: "Verificando se você não é um robô…"
        case .codeTitle: "Digite o código"
        case .codeSent: "Enviamos uma mensagem para {number}."
        case .code: "Código"
        case .verify: "Confirmar"
        case .resend: "Enviar de novo"
        case .resendIn: "Enviar de novo em {time}"
        case .resent: "Enviamos o código de novo."
        case .callMe: "Ligar para mim"
        case .sendBy: "Enviar por {name}"
        case .changeNumber: "Alterar número"
        case .email: "Endereço de e-mail"
        case .password: "Senha"
        case .usePassword: "Usar e-mail e senha"
        case .usePhone: "Usar um número de telefone"
        case .factorTitle: "Mais uma etapa"
        case .factorChoice: "Como você quer confirmar que é você?"
        case .factorPhone: "Mensagem para {number}"
        case .factorApp: "App autenticador"
        case .appDetail: "Abra seu app autenticador e digite o código que ele mostra."
        case .recovery: "Código de recuperação"
        case .recoveryDetail: "Digite um dos códigos de recuperação que você guardou."
        case .otherWay: "Confirmar de outra forma"
        case .startOver: "Começar de novo"
        case .doneTitle: "Você entrou"
        case .signOut: "Sair"
        case .offline: "Você está sem conexão. Continuaremos assim que ela voltar."
        case .invalidNumber: "Este número de telefone não é válido."
        case .tooShort: "Este número de telefone é curto demais."
        case .tooLong: "Este número de telefone é longo demais."
        case .regionNotAllowed: "Não podemos enviar mensagens para este país ou região."
        case .notAllowed: "Esta forma de entrar não está disponível."
        case .tooManyRequestsFor: "Tentativas demais. Tente de novo em {time}."
        case .secondFactorUser:
            "Este número é protegido por uma segunda etapa. Entre com seu endereço de e-mail e sua senha."
        case .disabled: "Esta conta está desativada. Fale com o suporte."
        case .wrongCode: "Este código não está certo."
        case .attemptsLeft: "Tentativas restantes: {number}"
        case .codeIncomplete: "O código tem {number} dígitos."
        case .codeExpired: "Este código não é mais válido. Peça um novo."
        case .attemptsSpent: "Muitos códigos errados. Peça um novo."
        case .wrongPassword: "O endereço de e-mail ou a senha não está certo."
        case .invalidEmail: "Este endereço de e-mail não é válido."
        case .missing: "Preencha este campo."
        case .numberRecycled: "Este número não é usado há muito tempo. Entre de outra forma."
        case .refused: "O app não permitiu esta entrada."
        case .startAgain: "Demorou demais. Comece de novo."
        case .linkTitle: "Adicione seu número de telefone"
        case .confirmTitle: "Confirme que é você"
        case .numberTaken: "Este número pertence a outra conta."
        case .otherAccount: "Esta não é a conta em que você entrou."
        case .signInAgain: "Para sua segurança, entre de novo primeiro."
        case .factorExists: "Este número já é uma segunda etapa."
        case .factorLimit: "Não é possível adicionar mais segundas etapas."
        case .unverifiedEmail: "Seu endereço de e-mail precisa estar confirmado antes de adicionar uma segunda etapa."
        case .reference: "Referência {reference}"
        case .confirm: "Mostre que você é uma pessoa."
        case .networkFailed: "Não foi possível acessar o servidor. Verifique sua conexão e tente de novo."
        case .serverFailed: "O servidor está com um problema. Tente de novo daqui a pouco."
        case .checkFailed: "A verificação não foi aceita. Tente mais uma vez."
        case .tooManyRequests: "Tentativas demais. Espere alguns minutos e tente de novo."
        case .tryAgain: "Tentar de novo"
        case .forgotPassword: "Esqueceu sua senha?"
        case .resetSent:
            "Se {email} tiver uma conta, enviamos um e-mail para esse endereço. Abra o link que ele contém para continuar."
        case .linkSent: "Enviamos um e-mail para {email}. Abra o link que ele contém para continuar."
        case .sendLink: "Enviar link"
        case .useLink: "Entrar com um link por e-mail"
        case .linkExpired: "Este link não é mais válido. Peça um novo."
        case .emailTaken: "Este endereço de e-mail pertence a outra conta."
        case .workingHeading: "Um momento"
        case .cancel: "Cancelar"
        case .notice: "Vamos enviar uma mensagem com um código. Sua operadora pode cobrar por ela."
        case .notSaved: "Não foi possível salvar o acesso neste dispositivo. Tente novamente."
        }
    }
}

extension PageText {
    var portuguese: String {
        switch self {
        case .accountTitle: "Sua conta"
        case .name: "Nome"
        case .sessions: "Onde você está conectado"
        case .thisSession: "Este dispositivo"
        case .unknownDevice: "Dispositivo desconhecido"
        case .signedInAt: "Entrou em {time}"
        case .usedAt: "Último uso em {time}"
        case .otherNetwork: "Último uso em uma rede diferente da rede da entrada"
        case .endSession: "Encerrar sessão"
        case .sessionEnded: "A sessão foi encerrada."
        case .signOutEverywhere: "Sair de todos os lugares"
        case .everywhereDetail: "Isso encerra suas sessões em todos os dispositivos, inclusive aqui."
        case .secondSteps: "Segunda etapa"
        case .secondStepsDetail: "Ao entrar, além da senha pedimos uma destas."
        case .noSecondStep: "Com uma segunda etapa, só a sua senha não basta para entrar."
        case .addedAt: "Adicionado em {time}"
        case .remove: "Remover"
        case .removeTitle: "Remover esta segunda etapa?"
        case .removeDetail: "Não vamos mais pedi-la ao entrar. Suas sessões em outros dispositivos são encerradas."
        case .factorRemoved: "A segunda etapa foi removida."
        case .addPhone: "Adicionar um número de telefone"
        case .addApp: "Adicionar um app autenticador"
        case .newCodes: "Novos códigos de recuperação"
        case .newCodesDetail: "Você recebe dez códigos novos. Os atuais deixam de funcionar."
        case .scan: "Escaneie este código com seu app autenticador e digite o código que ele mostra."
        case .qrCode: "Código QR para seu app autenticador"
        case .keyDetail: "Ou digite esta chave no app:"
        case .copy: "Copiar"
        case .copied: "Copiado"
        case .factorAdded: "A segunda etapa foi adicionada."
        case .codesTitle: "Seus códigos de recuperação"
        case .codesDetail:
            "Se você perder o telefone, cada um destes códigos substitui a segunda etapa uma vez. Guarde-os em um lugar seguro: eles só são mostrados agora."
        case .codesSaved: "Guardei os códigos"
        case .deleteAccount: "Excluir conta"
        case .deleteTitle: "Excluir sua conta?"
        case .deleteDetail: "Sua conta é excluída para sempre. Não é possível desfazer."
        case .deleted: "Sua conta foi excluída."
        case .sessionOver: "Sua sessão terminou. Entre de novo."
        case .verifyEmail: "Confirme seu endereço de e\u{2011}mail"
        case .linkOpened: "Já abri o link"
        case .changeEmail: "Alterar endereço de e-mail"
        case .addEmail: "Adicionar um endereço de e-mail"
        case .emailConfirmed: "Seu endereço de e-mail está confirmado."
        case .verificationTitle: "Verificação do app"
        case .workingDetail: "Estamos verificando se este pedido vem do seu app. Você não precisa fazer nada."
        case .doneHeading: "Pronto"
        case .doneDetail: "Você já pode voltar ao app."
        case .returnToApp: "Voltar ao app"
        case .cancelledHeading: "Cancelado"
        case .failedHeading: "Não deu certo"
        case .backToApp: "Voltar para o app"
        case .noScript: "Esta página precisa de JavaScript. Ative-o nas configurações do navegador ou volte ao app."
        case .notLoaded:
            "Não foi possível carregar esta página. Verifique sua conexão ou use um navegador mais recente."
        case .refusedHeading: "Este link não funciona"
        case .refusedDetail: "Você pode fechar esta página. Quem desenvolve o app pode corrigir o erro:"
        case .unknownApp: "Este app não está registrado no servidor."
        case .bundleIDMismatch: "O bundle ID do app não corresponde ao registro."
        case .schemeNotRegistered: "Este client ID ou app ID não está registrado para o app."
        case .malformed: "O link está incompleto ou danificado."
        case .resetTitle: "Escolha uma nova senha"
        case .newPassword: "Nova senha"
        case .showPassword: "Mostrar senha"
        case .weakPassword: "Use pelo menos {number} caracteres."
        case .recoverTitle: "Restaure seu endereço de e\u{2011}mail"
        case .passwordChanged: "Sua senha foi alterada."
        case .emailRestored:
            "Seu endereço de e-mail foi restaurado. Se não foi você quem o alterou, escolha também uma nova senha."
        }
    }
}

extension MessageWording {
    static let portuguese = MessageWording(
        named: "{code} é seu código para {app}. Não o compartilhe.",
        unnamed: "{code} é seu código de verificação. Não o compartilhe.",
        brieflyNamed: "{code} é seu código para {app}.",
        brieflyUnnamed: "{code} é seu código."
    )
}

extension MailWording {
    static let portuguese = MailWording(
        resetPassword: Phrase("Redefina sua senha", "Use este link para escolher uma nova senha para {email}:"),
        verifyEmail: Phrase(
            "Confirme seu endereço de e-mail",
            "Use este link para confirmar que {email} é seu endereço:"
        ),
        signIn: Phrase("Seu link para entrar", "Use este link para entrar como {email}:"),
        changeEmail: Phrase(
            "Confirme seu novo endereço de e-mail",
            "Use este link para que {newEmail} seja o endereço da sua conta:"
        ),
        recoverEmail: Phrase(
            "Seu endereço de e-mail foi alterado",
            "O endereço da sua conta agora é {newEmail}. Se não foi você, use este link para restaurar {email}:"
        ),
        unrequested: "Se você não pediu isto, pode ignorar este e-mail."
    )
}
