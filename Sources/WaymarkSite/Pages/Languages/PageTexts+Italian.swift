extension PageTexts {
    static let italian = PageTexts(
        openIn: "Apri\u{202F}in\u{202F}{app}",
        openApp: "Apri\u{202F}l’app",
        opensInApp: "Questo\u{202F}link\u{202F}si\u{202F}apre\u{202F}nell’app.",
        getApp: "Ottieni\u{202F}l’app",
        continueInBrowser: "Continua\u{202F}nel\u{202F}browser",
        continueAfterInstall: "Riprendi\u{202F}da\u{202F}dove\u{202F}ero",
        continueExplained:
            "Copia\u{202F}questo\u{202F}link,\u{202F}così\u{202F}l’app\u{202F}può\u{202F}riprendere\u{202F}da\u{202F}qui\u{202F}dopo\u{202F}l’installazione.",
        insideAnotherApp:
            "Non\u{202F}succede\u{202F}nulla?\u{202F}Stai\u{202F}visualizzando\u{202F}questa\u{202F}pagina\u{202F}in\u{202F}un’altra\u{202F}app.\u{202F}Scegli\u{202F}“Apri\u{202F}nel\u{202F}browser”\u{202F}dal\u{202F}suo\u{202F}menu\u{202F}oppure\u{202F}copia\u{202F}il\u{202F}link\u{202F}e\u{202F}incollalo\u{202F}nel\u{202F}browser.",
        copyLink: "Copia\u{202F}link",
        copied: "Copiato.\u{202F}Ora\u{202F}apri\u{202F}il\u{202F}browser.",
        copyByHand: "Copia\u{202F}questo\u{202F}link:\u{202F}{link}",
        proceed: "Continua",
        oneMoment: "Un\u{202F}momento…",
        whereItLeads: "Dove\u{202F}porta\u{202F}questo\u{202F}link",
        onThisDevice: "Su\u{202F}questo\u{202F}dispositivo",
        onOtherDevices: "Su\u{202F}altri\u{202F}dispositivi",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "Codice\u{202F}QR\u{202F}di\u{202F}questo\u{202F}link",
        expired: Message(
            title: "Questo\u{202F}link\u{202F}è\u{202F}scaduto",
            text:
                "Non\u{202F}è\u{202F}più\u{202F}disponibile.\u{202F}Chi\u{202F}te\u{202F}lo\u{202F}ha\u{202F}inviato\u{202F}potrebbe\u{202F}averne\u{202F}uno\u{202F}più\u{202F}recente."
        ),
        exhausted: Message(
            title: "Questo\u{202F}link\u{202F}non\u{202F}è\u{202F}più\u{202F}disponibile",
            text:
                "Poteva\u{202F}essere\u{202F}aperto\u{202F}solo\u{202F}un\u{202F}numero\u{202F}limitato\u{202F}di\u{202F}volte."
        ),
        disabled: Message(
            title: "Questo\u{202F}link\u{202F}è\u{202F}stato\u{202F}disattivato",
            text: "Il\u{202F}proprietario\u{202F}lo\u{202F}ha\u{202F}disattivato."),
        scheduled: Message(
            title: "Questo\u{202F}link\u{202F}non\u{202F}è\u{202F}ancora\u{202F}attivo",
            text: "Riprova\u{202F}più\u{202F}tardi."),
        notFound: Message(
            title: "Pagina\u{202F}non\u{202F}trovata",
            text:
                "Il\u{202F}link\u{202F}potrebbe\u{202F}essere\u{202F}incompleto\u{202F}o\u{202F}essere\u{202F}stato\u{202F}rimosso."
        ),
        unavailable: Message(
            title: "Si\u{202F}è\u{202F}verificato\u{202F}un\u{202F}problema",
            text:
                "Al\u{202F}momento\u{202F}non\u{202F}è\u{202F}possibile\u{202F}aprire\u{202F}questo\u{202F}link.\u{202F}Riprova\u{202F}tra\u{202F}un\u{202F}minuto."
        ),
        tooManyRequests: Message(
            title: "Troppe\u{202F}richieste",
            text: "Attendi\u{202F}un\u{202F}minuto,\u{202F}poi\u{202F}riprova."),
        malformed: Message(
            title: "Questo\u{202F}indirizzo\u{202F}non\u{202F}è\u{202F}valido",
            text: "Potrebbe\u{202F}contenere\u{202F}un\u{202F}errore\u{202F}di\u{202F}battitura."),
        unknownHost: Message(
            title: "Qui\u{202F}non\u{202F}c’è\u{202F}ancora\u{202F}nulla",
            text:
                "Per\u{202F}questo\u{202F}indirizzo\u{202F}non\u{202F}sono\u{202F}stati\u{202F}configurati\u{202F}link."
        ),
        root: Message(
            title: "Questo\u{202F}indirizzo\u{202F}serve\u{202F}ad\u{202F}aprire\u{202F}link",
            text:
                "Qui\u{202F}non\u{202F}c’è\u{202F}nessuna\u{202F}pagina.\u{202F}Usa\u{202F}il\u{202F}link\u{202F}completo\u{202F}che\u{202F}hai\u{202F}ricevuto."
        ),
        visitWebsite: "Vai\u{202F}al\u{202F}sito\u{202F}web")
}
