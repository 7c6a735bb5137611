extension PageTexts {
    static let dutch = PageTexts(
        openIn: "Openen\u{202F}in\u{202F}{app}",
        openApp: "App\u{202F}openen",
        opensInApp: "Deze\u{202F}link\u{202F}wordt\u{202F}geopend\u{202F}in\u{202F}de\u{202F}app.",
        getApp: "Download\u{202F}de\u{202F}app",
        continueInBrowser: "Doorgaan\u{202F}in\u{202F}de\u{202F}browser",
        continueAfterInstall: "Verdergaan\u{202F}waar\u{202F}ik\u{202F}was",
        continueExplained:
            "Kopieert\u{202F}deze\u{202F}link,\u{202F}zodat\u{202F}de\u{202F}app\u{202F}na\u{202F}de\u{202F}installatie\u{202F}hier\u{202F}kan\u{202F}verdergaan.",
        insideAnotherApp:
            "Gebeurt\u{202F}er\u{202F}niets?\u{202F}Je\u{202F}bekijkt\u{202F}deze\u{202F}pagina\u{202F}in\u{202F}een\u{202F}andere\u{202F}app.\u{202F}Kies\u{202F}in\u{202F}het\u{202F}menu\u{202F}van\u{202F}die\u{202F}app\u{202F}‘Openen\u{202F}in\u{202F}browser’\u{202F}of\u{202F}kopieer\u{202F}de\u{202F}link\u{202F}en\u{202F}plak\u{202F}die\u{202F}in\u{202F}je\u{202F}browser.",
        copyLink: "Kopieer\u{202F}link",
        copied: "Gekopieerd.\u{202F}Open\u{202F}nu\u{202F}je\u{202F}browser.",
        copyByHand: "Kopieer\u{202F}deze\u{202F}link:\u{202F}{link}",
        proceed: "Ga\u{202F}door",
        oneMoment: "Een\u{202F}ogenblik…",
        whereItLeads: "Waar\u{202F}deze\u{202F}link\u{202F}naartoe\u{202F}gaat",
        onThisDevice: "Op\u{202F}dit\u{202F}apparaat",
        onOtherDevices: "Op\u{202F}andere\u{202F}apparaten",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "QR-code\u{202F}voor\u{202F}deze\u{202F}link",
        expired: Message(
            title: "Deze\u{202F}link\u{202F}is\u{202F}verlopen",
            text:
                "De\u{202F}link\u{202F}is\u{202F}niet\u{202F}meer\u{202F}beschikbaar.\u{202F}Misschien\u{202F}heeft\u{202F}de\u{202F}afzender\u{202F}een\u{202F}nieuwe."
        ),
        exhausted: Message(
            title: "Deze\u{202F}link\u{202F}is\u{202F}niet\u{202F}meer\u{202F}beschikbaar",
            text:
                "De\u{202F}link\u{202F}kon\u{202F}maar\u{202F}een\u{202F}beperkt\u{202F}aantal\u{202F}keren\u{202F}worden\u{202F}geopend."
        ),
        disabled: Message(
            title: "Deze\u{202F}link\u{202F}is\u{202F}uitgeschakeld",
            text: "De\u{202F}eigenaar\u{202F}heeft\u{202F}de\u{202F}link\u{202F}uitgezet."),
        scheduled: Message(
            title: "Deze\u{202F}link\u{202F}is\u{202F}nog\u{202F}niet\u{202F}actief",
            text: "Probeer\u{202F}het\u{202F}later\u{202F}opnieuw."),
        notFound: Message(
            title: "Pagina\u{202F}niet\u{202F}gevonden",
            text: "De\u{202F}link\u{202F}is\u{202F}misschien\u{202F}onvolledig\u{202F}of\u{202F}verwijderd."),
        unavailable: Message(
            title: "Er\u{202F}is\u{202F}iets\u{202F}misgegaan",
            text:
                "We\u{202F}kunnen\u{202F}deze\u{202F}link\u{202F}nu\u{202F}niet\u{202F}openen.\u{202F}Probeer\u{202F}het\u{202F}over\u{202F}een\u{202F}minuut\u{202F}opnieuw."
        ),
        tooManyRequests: Message(
            title: "Te\u{202F}veel\u{202F}verzoeken",
            text: "Wacht\u{202F}een\u{202F}minuut\u{202F}en\u{202F}probeer\u{202F}het\u{202F}dan\u{202F}opnieuw."),
        malformed: Message(
            title: "Dit\u{202F}adres\u{202F}is\u{202F}ongeldig",
            text: "Er\u{202F}staat\u{202F}misschien\u{202F}een\u{202F}typefout\u{202F}in."),
        unknownHost: Message(
            title: "Hier\u{202F}is\u{202F}nog\u{202F}niets",
            text: "Voor\u{202F}dit\u{202F}adres\u{202F}zijn\u{202F}geen\u{202F}links\u{202F}ingesteld."),
        root: Message(
            title: "Dit\u{202F}is\u{202F}een\u{202F}adres\u{202F}voor\u{202F}links",
            text:
                "Er\u{202F}is\u{202F}hier\u{202F}geen\u{202F}pagina.\u{202F}Gebruik\u{202F}de\u{202F}volledige\u{202F}link\u{202F}die\u{202F}je\u{202F}hebt\u{202F}gekregen."
        ),
        visitWebsite: "Ga\u{202F}naar\u{202F}de\u{202F}website")
}
