extension PageTexts {
    static let dutch = PageTexts(
        openIn: "Openen in {app}",
        openApp: "App openen",
        opensInApp: "Deze link wordt geopend in de app.",
        getApp: "Download de app",
        continueInBrowser: "Doorgaan in de browser",
        continueAfterInstall: "Verdergaan waar ik was",
        continueExplained:
            "Kopieert deze link, zodat de app na de installatie hier kan verdergaan.",
        insideAnotherApp:
            "Gebeurt er niets? Je bekijkt deze pagina in een andere app. Kies in het menu van die app ‘Openen in browser’ of kopieer de link en plak die in je browser.",
        copyLink: "Kopieer link",
        copied: "Gekopieerd. Open nu je browser.",
        copyByHand: "Kopieer deze link: {link}",
        proceed: "Ga door",
        oneMoment: "Een ogenblik…",
        openOnPhone: "Open deze link op je telefoon",
        scanCode: "Richt de camera van je telefoon op deze code.",
        whereItLeads: "Waar deze link naartoe gaat",
        onThisDevice: "Op dit apparaat",
        onOtherDevices: "Op andere apparaten",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "QR-code voor deze link",
        isProtected: "Deze link is beveiligd",
        enterPassword: "Voer het wachtwoord in om door te gaan.",
        password: "Wachtwoord",
        wrongPassword: "Dat wachtwoord is onjuist. Probeer het opnieuw.",
        expired: Message(
            title: "Deze link is verlopen",
            text:
                "De link is niet meer beschikbaar. Misschien heeft de afzender een nieuwe."
        ),
        exhausted: Message(
            title: "Deze link is niet meer beschikbaar",
            text:
                "De link kon maar een beperkt aantal keren worden geopend."
        ),
        disabled: Message(
            title: "Deze link is uitgeschakeld",
            text: "De eigenaar heeft de link uitgezet."),
        scheduled: Message(
            title: "Deze link is nog niet actief",
            text: "Probeer het later opnieuw."),
        notFound: Message(
            title: "Pagina niet gevonden",
            text: "De link is misschien onvolledig of verwijderd."),
        unavailable: Message(
            title: "Er is iets misgegaan",
            text:
                "We kunnen deze link nu niet openen. Probeer het over een minuut opnieuw."
        ),
        tooManyRequests: Message(
            title: "Te veel verzoeken",
            text: "Wacht een minuut en probeer het dan opnieuw."),
        malformed: Message(
            title: "Dit adres is ongeldig",
            text: "Er staat misschien een typefout in."),
        unknownHost: Message(
            title: "Hier is nog niets",
            text: "Voor dit adres zijn geen links ingesteld."),
        root: Message(
            title: "Dit is een adres voor links",
            text:
                "Er is hier geen pagina. Gebruik de volledige link die je hebt gekregen."
        ),
        visitWebsite: "Ga naar de website")
}
