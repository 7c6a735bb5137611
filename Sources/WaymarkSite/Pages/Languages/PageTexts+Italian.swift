extension PageTexts {
    static let italian = PageTexts(
        openIn: "Apri in {app}",
        openApp: "Apri l’app",
        opensInApp: "Questo link si apre nell’app.",
        getApp: "Ottieni l’app",
        continueInBrowser: "Continua nel browser",
        continueAfterInstall: "Riprendi da dove ero",
        continueExplained:
            "Copia questo link, così l’app può riprendere da qui dopo l’installazione.",
        insideAnotherApp:
            "Non succede nulla? Stai visualizzando questa pagina in un’altra app. Scegli “Apri nel browser” dal suo menu oppure copia il link e incollalo nel browser.",
        copyLink: "Copia link",
        copied: "Copiato. Ora apri il browser.",
        copyByHand: "Copia questo link: {link}",
        proceed: "Continua",
        oneMoment: "Un momento…",
        openOnPhone: "Apri questo link sul telefono",
        scanCode: "Inquadra questo codice con la fotocamera del telefono.",
        whereItLeads: "Dove porta questo link",
        onThisDevice: "Su questo dispositivo",
        onOtherDevices: "Su altri dispositivi",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "Codice QR di questo link",
        isProtected: "Questo link è protetto",
        enterPassword: "Inserisci la password per continuare.",
        password: "Password",
        wrongPassword: "La password non è corretta. Riprova.",
        expired: Message(
            title: "Questo link è scaduto",
            text:
                "Non è più disponibile. Chi te lo ha inviato potrebbe averne uno più recente."
        ),
        exhausted: Message(
            title: "Questo link non è più disponibile",
            text:
                "Poteva essere aperto solo un numero limitato di volte."
        ),
        disabled: Message(
            title: "Questo link è stato disattivato",
            text: "Il proprietario lo ha disattivato."),
        scheduled: Message(
            title: "Questo link non è ancora attivo",
            text: "Riprova più tardi."),
        notFound: Message(
            title: "Pagina non trovata",
            text:
                "Il link potrebbe essere incompleto o essere stato rimosso."
        ),
        unavailable: Message(
            title: "Si è verificato un problema",
            text:
                "Al momento non è possibile aprire questo link. Riprova tra un minuto."
        ),
        tooManyRequests: Message(
            title: "Troppe richieste",
            text: "Attendi un minuto, poi riprova."),
        malformed: Message(
            title: "Questo indirizzo non è valido",
            text: "Potrebbe contenere un errore di battitura."),
        unknownHost: Message(
            title: "Qui non c’è ancora nulla",
            text:
                "Per questo indirizzo non sono stati configurati link."
        ),
        root: Message(
            title: "Questo indirizzo serve ad aprire link",
            text:
                "Qui non c’è nessuna pagina. Usa il link completo che hai ricevuto."
        ),
        visitWebsite: "Vai al sito web")
}
