extension PageTexts {
    static let portuguese = PageTexts(
        openIn: "Abrir no {app}",
        openApp: "Abrir o app",
        opensInApp: "Este link abre no app.",
        getApp: "Obter o app",
        continueInBrowser: "Continuar no navegador",
        continueAfterInstall: "Continuar de onde parei",
        continueExplained:
            "Copia este link para que o app possa continuar daqui depois de instalado.",
        insideAnotherApp:
            "Nada acontece? Esta página está aberta dentro de outro app. Escolha “Abrir no navegador” no menu dele ou copie o link e cole no seu navegador.",
        copyLink: "Copiar link",
        copied: "Copiado. Agora abra o navegador.",
        copyByHand: "Copie este link: {link}",
        proceed: "Continuar",
        oneMoment: "Um momento…",
        openOnPhone: "Abra este link no celular",
        scanCode: "Aponte a câmera do celular para este código.",
        whereItLeads: "Para onde este link leva",
        onThisDevice: "Neste dispositivo",
        onOtherDevices: "Em outros dispositivos",
        app: "App",
        store: "Loja",
        web: "Web",
        qrCode: "Código QR deste link",
        isProtected: "Este link é protegido",
        enterPassword: "Digite a senha para continuar.",
        password: "Senha",
        wrongPassword: "A senha está incorreta. Tente novamente.",
        expired: Message(
            title: "Este link expirou",
            text:
                "Ele não está mais disponível. Quem enviou o link talvez tenha um mais recente."
        ),
        exhausted: Message(
            title: "Este link não está mais disponível",
            text:
                "Ele só podia ser aberto um número limitado de vezes."
        ),
        disabled: Message(
            title: "Este link foi desativado",
            text: "O proprietário desativou este link."),
        scheduled: Message(
            title: "Este link ainda não está ativo",
            text: "Tente novamente mais tarde."),
        notFound: Message(
            title: "Página não encontrada",
            text:
                "O link pode estar incompleto ou ter sido removido."
        ),
        unavailable: Message(
            title: "Algo deu errado",
            text:
                "Não foi possível abrir este link agora. Tente novamente em um minuto."
        ),
        tooManyRequests: Message(
            title: "Muitas solicitações",
            text: "Aguarde um minuto e tente novamente."),
        malformed: Message(
            title: "Este endereço não é válido",
            text: "Pode haver um erro de digitação."),
        unknownHost: Message(
            title: "Ainda não há nada aqui",
            text: "Nenhum link foi configurado para este endereço."),
        root: Message(
            title: "Este endereço serve para abrir links",
            text:
                "Não há nenhuma página aqui. Use o link completo que você recebeu."
        ),
        visitWebsite: "Visitar o site")
}
