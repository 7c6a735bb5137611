extension PageTexts {
    static let portuguese = PageTexts(
        openIn: "Abrir\u{202F}no\u{202F}{app}",
        openApp: "Abrir\u{202F}o\u{202F}app",
        opensInApp: "Este\u{202F}link\u{202F}abre\u{202F}no\u{202F}app.",
        getApp: "Obter\u{202F}o\u{202F}app",
        continueInBrowser: "Continuar\u{202F}no\u{202F}navegador",
        continueAfterInstall: "Continuar\u{202F}de\u{202F}onde\u{202F}parei",
        continueExplained:
            "Copia\u{202F}este\u{202F}link\u{202F}para\u{202F}que\u{202F}o\u{202F}app\u{202F}possa\u{202F}continuar\u{202F}daqui\u{202F}depois\u{202F}de\u{202F}instalado.",
        insideAnotherApp:
            "Nada\u{202F}acontece?\u{202F}Esta\u{202F}página\u{202F}está\u{202F}aberta\u{202F}dentro\u{202F}de\u{202F}outro\u{202F}app.\u{202F}Escolha\u{202F}“Abrir\u{202F}no\u{202F}navegador”\u{202F}no\u{202F}menu\u{202F}dele\u{202F}ou\u{202F}copie\u{202F}o\u{202F}link\u{202F}e\u{202F}cole\u{202F}no\u{202F}seu\u{202F}navegador.",
        copyLink: "Copiar\u{202F}link",
        copied: "Copiado.\u{202F}Agora\u{202F}abra\u{202F}o\u{202F}navegador.",
        copyByHand: "Copie\u{202F}este\u{202F}link:\u{202F}{link}",
        proceed: "Continuar",
        oneMoment: "Um\u{202F}momento…",
        whereItLeads: "Para\u{202F}onde\u{202F}este\u{202F}link\u{202F}leva",
        onThisDevice: "Neste\u{202F}dispositivo",
        onOtherDevices: "Em\u{202F}outros\u{202F}dispositivos",
        app: "App",
        store: "Loja",
        web: "Web",
        qrCode: "Código\u{202F}QR\u{202F}deste\u{202F}link",
        expired: Message(
            title: "Este\u{202F}link\u{202F}expirou",
            text:
                "Ele\u{202F}não\u{202F}está\u{202F}mais\u{202F}disponível.\u{202F}Quem\u{202F}enviou\u{202F}o\u{202F}link\u{202F}talvez\u{202F}tenha\u{202F}um\u{202F}mais\u{202F}recente."
        ),
        exhausted: Message(
            title: "Este\u{202F}link\u{202F}não\u{202F}está\u{202F}mais\u{202F}disponível",
            text:
                "Ele\u{202F}só\u{202F}podia\u{202F}ser\u{202F}aberto\u{202F}um\u{202F}número\u{202F}limitado\u{202F}de\u{202F}vezes."
        ),
        disabled: Message(
            title: "Este\u{202F}link\u{202F}foi\u{202F}desativado",
            text: "O\u{202F}proprietário\u{202F}desativou\u{202F}este\u{202F}link."),
        scheduled: Message(
            title: "Este\u{202F}link\u{202F}ainda\u{202F}não\u{202F}está\u{202F}ativo",
            text: "Tente\u{202F}novamente\u{202F}mais\u{202F}tarde."),
        notFound: Message(
            title: "Página\u{202F}não\u{202F}encontrada",
            text:
                "O\u{202F}link\u{202F}pode\u{202F}estar\u{202F}incompleto\u{202F}ou\u{202F}ter\u{202F}sido\u{202F}removido."
        ),
        unavailable: Message(
            title: "Algo\u{202F}deu\u{202F}errado",
            text:
                "Não\u{202F}foi\u{202F}possível\u{202F}abrir\u{202F}este\u{202F}link\u{202F}agora.\u{202F}Tente\u{202F}novamente\u{202F}em\u{202F}um\u{202F}minuto."
        ),
        tooManyRequests: Message(
            title: "Muitas\u{202F}solicitações",
            text: "Aguarde\u{202F}um\u{202F}minuto\u{202F}e\u{202F}tente\u{202F}novamente."),
        malformed: Message(
            title: "Este\u{202F}endereço\u{202F}não\u{202F}é\u{202F}válido",
            text: "Pode\u{202F}haver\u{202F}um\u{202F}erro\u{202F}de\u{202F}digitação."),
        unknownHost: Message(
            title: "Ainda\u{202F}não\u{202F}há\u{202F}nada\u{202F}aqui",
            text: "Nenhum\u{202F}link\u{202F}foi\u{202F}configurado\u{202F}para\u{202F}este\u{202F}endereço."),
        root: Message(
            title: "Este\u{202F}endereço\u{202F}serve\u{202F}para\u{202F}abrir\u{202F}links",
            text:
                "Não\u{202F}há\u{202F}nenhuma\u{202F}página\u{202F}aqui.\u{202F}Use\u{202F}o\u{202F}link\u{202F}completo\u{202F}que\u{202F}você\u{202F}recebeu."
        ),
        visitWebsite: "Visitar\u{202F}o\u{202F}site")
}
