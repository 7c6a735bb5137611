extension PageTexts {
    static let german = PageTexts(
        openIn: "In {app} öffnen",
        openApp: "App öffnen",
        opensInApp: "Dieser Link wird in der App geöffnet.",
        getApp: "App laden",
        continueInBrowser: "Im Browser fortfahren",
        continueAfterInstall: "Hier weitermachen",
        continueExplained: "Kopiert diesen Link, damit die App nach der Installation hier weitermachen kann.",
        insideAnotherApp:
            "Es passiert nichts? Diese Seite wird in einer anderen App angezeigt. Wähle in deren Menü „Im Browser öffnen“ oder kopiere den Link in deinen Browser.",
        copyLink: "Link kopieren",
        copied: "Kopiert. Öffne jetzt deinen Browser.",
        copyByHand: "Kopiere diesen Link: {link}",
        proceed: "Weiter",
        oneMoment: "Einen Moment …",
        openOnPhone: "Öffne diesen Link auf deinem Smartphone",
        scanCode: "Richte die Kamera deines Smartphones auf diesen Code.",
        whereItLeads: "Wohin dieser Link führt",
        onThisDevice: "Auf diesem Gerät",
        onOtherDevices: "Auf anderen Geräten",
        app: "App", store: "Store", web: "Web",
        qrCode: "QR-Code für diesen Link",
        isProtected: "Dieser Link ist geschützt",
        enterPassword: "Gib das Passwort ein, um fortzufahren.",
        password: "Passwort",
        wrongPassword: "Das Passwort ist falsch. Bitte versuche es noch einmal.",
        expired: Message(
            title: "Dieser Link ist abgelaufen",
            text: "Er ist nicht mehr verfügbar. Vielleicht gibt es vom Absender einen neuen."),
        exhausted: Message(
            title: "Dieser Link ist nicht mehr verfügbar", text: "Er konnte nur begrenzt oft geöffnet werden."),
        disabled: Message(
            title: "Dieser Link wurde deaktiviert", text: "Der Eigentümer hat ihn ausgeschaltet."),
        scheduled: Message(
            title: "Dieser Link ist noch nicht aktiv", text: "Bitte versuche es später noch einmal."),
        notFound: Message(
            title: "Seite nicht gefunden", text: "Der Link ist vielleicht unvollständig oder wurde entfernt."),
        unavailable: Message(
            title: "Das hat nicht geklappt",
            text: "Der Link kann gerade nicht geöffnet werden. Bitte versuche es in einer Minute noch einmal."),
        tooManyRequests: Message(
            title: "Zu viele Anfragen", text: "Bitte warte eine Minute und versuche es dann noch einmal."),
        malformed: Message(title: "Diese Adresse ist ungültig", text: "Vielleicht enthält sie einen Tippfehler."),
        unknownHost: Message(
            title: "Hier gibt es noch nichts", text: "Für diese Adresse wurden keine Links eingerichtet."),
        root: Message(
            title: "Das ist eine Adresse für Links",
            text: "Hier gibt es keine Seite. Verwende den vollständigen Link, den du erhalten hast."),
        visitWebsite: "Website besuchen")
}
