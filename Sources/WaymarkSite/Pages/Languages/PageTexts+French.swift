extension PageTexts {
    static let french = PageTexts(
        openIn: "Ouvrir\u{202F}dans\u{202F}{app}",
        openApp: "Ouvrir\u{202F}l’app",
        opensInApp: "Ce\u{202F}lien\u{202F}s’ouvre\u{202F}dans\u{202F}l’app.",
        getApp: "Obtenir\u{202F}l’app",
        continueInBrowser: "Continuer\u{202F}dans\u{202F}le\u{202F}navigateur",
        continueAfterInstall: "Reprendre\u{202F}où\u{202F}j’en\u{202F}étais",
        continueExplained:
            "Copie\u{202F}ce\u{202F}lien\u{202F}pour\u{202F}que\u{202F}l’app\u{202F}puisse\u{202F}reprendre\u{202F}ici\u{202F}une\u{202F}fois\u{202F}installée.",
        insideAnotherApp:
            "Rien\u{202F}ne\u{202F}se\u{202F}passe\u{202F}?\u{202F}Cette\u{202F}page\u{202F}s’affiche\u{202F}dans\u{202F}une\u{202F}autre\u{202F}app.\u{202F}Choisissez\u{202F}«\u{202F}Ouvrir\u{202F}dans\u{202F}le\u{202F}navigateur\u{202F}»\u{202F}dans\u{202F}son\u{202F}menu,\u{202F}ou\u{202F}copiez\u{202F}le\u{202F}lien\u{202F}dans\u{202F}votre\u{202F}navigateur.",
        copyLink: "Copier\u{202F}le\u{202F}lien",
        copied: "Lien\u{202F}copié.\u{202F}Ouvrez\u{202F}maintenant\u{202F}votre\u{202F}navigateur.",
        copyByHand: "Copiez\u{202F}ce\u{202F}lien\u{202F}:\u{202F}{link}",
        proceed: "Continuer",
        oneMoment: "Un\u{202F}instant…",
        whereItLeads: "Où\u{202F}mène\u{202F}ce\u{202F}lien",
        onThisDevice: "Sur\u{202F}cet\u{202F}appareil",
        onOtherDevices: "Sur\u{202F}les\u{202F}autres\u{202F}appareils",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "Code\u{202F}QR\u{202F}de\u{202F}ce\u{202F}lien",
        expired: Message(
            title: "Ce\u{202F}lien\u{202F}a\u{202F}expiré",
            text:
                "Il\u{202F}n’est\u{202F}plus\u{202F}disponible.\u{202F}La\u{202F}personne\u{202F}qui\u{202F}vous\u{202F}l’a\u{202F}envoyé\u{202F}en\u{202F}a\u{202F}peut-être\u{202F}un\u{202F}plus\u{202F}récent."
        ),
        exhausted: Message(
            title: "Ce\u{202F}lien\u{202F}n’est\u{202F}plus\u{202F}disponible",
            text:
                "Il\u{202F}ne\u{202F}pouvait\u{202F}être\u{202F}ouvert\u{202F}qu’un\u{202F}nombre\u{202F}limité\u{202F}de\u{202F}fois."
        ),
        disabled: Message(
            title: "Ce\u{202F}lien\u{202F}a\u{202F}été\u{202F}désactivé",
            text: "Son\u{202F}propriétaire\u{202F}l’a\u{202F}désactivé."),
        scheduled: Message(
            title: "Ce\u{202F}lien\u{202F}n’est\u{202F}pas\u{202F}encore\u{202F}actif",
            text: "Réessayez\u{202F}plus\u{202F}tard."),
        notFound: Message(
            title: "Page\u{202F}introuvable",
            text:
                "Le\u{202F}lien\u{202F}est\u{202F}peut-être\u{202F}incomplet\u{202F}ou\u{202F}a\u{202F}été\u{202F}supprimé."
        ),
        unavailable: Message(
            title: "Une\u{202F}erreur\u{202F}est\u{202F}survenue",
            text:
                "Impossible\u{202F}d’ouvrir\u{202F}ce\u{202F}lien\u{202F}pour\u{202F}le\u{202F}moment.\u{202F}Réessayez\u{202F}dans\u{202F}une\u{202F}minute."
        ),
        tooManyRequests: Message(
            title: "Trop\u{202F}de\u{202F}demandes",
            text: "Patientez\u{202F}une\u{202F}minute,\u{202F}puis\u{202F}réessayez."),
        malformed: Message(
            title: "Cette\u{202F}adresse\u{202F}n’est\u{202F}pas\u{202F}valide",
            text: "Elle\u{202F}contient\u{202F}peut-être\u{202F}une\u{202F}faute\u{202F}de\u{202F}frappe."),
        unknownHost: Message(
            title: "Rien\u{202F}ici\u{202F}pour\u{202F}l’instant",
            text: "Aucun\u{202F}lien\u{202F}n’est\u{202F}configuré\u{202F}pour\u{202F}cette\u{202F}adresse."),
        root: Message(
            title: "Cette\u{202F}adresse\u{202F}sert\u{202F}à\u{202F}ouvrir\u{202F}des\u{202F}liens",
            text:
                "Il\u{202F}n’y\u{202F}a\u{202F}pas\u{202F}de\u{202F}page\u{202F}ici.\u{202F}Utilisez\u{202F}le\u{202F}lien\u{202F}complet\u{202F}que\u{202F}vous\u{202F}avez\u{202F}reçu."
        ),
        visitWebsite: "Voir\u{202F}le\u{202F}site\u{202F}web")
}
