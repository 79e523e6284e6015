extension PageTexts {
    static let portuguese = PageTexts(
        title: "Verificação do app",
        workingHeading: "Um momento",
        workingDetail: "Estamos verificando se este pedido vem do seu app. Você não precisa fazer nada.",
        confirmDetail: "Mostre que você é uma pessoa.",
        doneHeading: "Pronto",
        doneDetail: "Você já pode voltar ao app.",
        returnToApp: "Voltar ao app",
        cancelledHeading: "Cancelado",
        failedHeading: "Não deu certo",
        checkFailed: "A verificação não foi aceita. Tente mais uma vez.",
        networkFailed: "Não foi possível acessar o servidor. Verifique sua conexão e tente de novo.",
        serverFailed: "O servidor está com um problema. Tente de novo daqui a pouco.",
        tooManyRequests: "Tentativas demais. Espere alguns minutos e tente de novo.",
        tryAgain: "Tentar de novo",
        backToApp: "Voltar para o app",
        cancel: "Cancelar",
        noScript: "Esta página precisa de JavaScript. Ative-o nas configurações do navegador ou volte ao app.",
        notLoaded: "Não foi possível carregar esta página. Verifique sua conexão ou use um navegador mais recente.",
        refusedHeading: "Este link não funciona",
        refusedDetail: "Você pode fechar esta página. Quem desenvolve o app pode corrigir o erro:",
        unknownApp: "Este app não está registrado no servidor.",
        bundleIDMismatch: "O bundle ID do app não corresponde ao registro.",
        schemeNotRegistered: "Este client ID ou app ID não está registrado para o app.",
        malformed: "O link está incompleto ou danificado."
    )
}
