extension PageTexts {
    static let french = PageTexts(
        openIn: "Ouvrir dans {app}",
        openApp: "Ouvrir l’app",
        opensInApp: "Ce lien s’ouvre dans l’app.",
        getApp: "Obtenir l’app",
        continueInBrowser: "Continuer dans le navigateur",
        continueAfterInstall: "Reprendre où j’en étais",
        continueExplained:
            "Copie ce lien pour que l’app puisse reprendre ici une fois installée.",
        insideAnotherApp:
            "Rien ne se passe\u{202F}? Cette page s’affiche dans une autre app. Choisissez «\u{202F}Ouvrir dans le navigateur\u{202F}» dans son menu, ou copiez le lien dans votre navigateur.",
        copyLink: "Copier le lien",
        copied: "Lien copié. Ouvrez maintenant votre navigateur.",
        copyByHand: "Copiez ce lien\u{202F}: {link}",
        proceed: "Continuer",
        oneMoment: "Un instant…",
        openOnPhone: "Ouvrez ce lien sur votre téléphone",
        scanCode: "Pointez l’appareil photo de votre téléphone vers ce code.",
        whereItLeads: "Où mène ce lien",
        onThisDevice: "Sur cet appareil",
        onOtherDevices: "Sur les autres appareils",
        app: "App",
        store: "Store",
        web: "Web",
        qrCode: "Code QR de ce lien",
        isProtected: "Ce lien est protégé",
        enterPassword: "Saisissez son mot de passe pour continuer.",
        password: "Mot de passe",
        wrongPassword: "Ce mot de passe est incorrect. Réessayez.",
        expired: Message(
            title: "Ce lien a expiré",
            text:
                "Il n’est plus disponible. La personne qui vous l’a envoyé en a peut-être un plus récent."
        ),
        exhausted: Message(
            title: "Ce lien n’est plus disponible",
            text:
                "Il ne pouvait être ouvert qu’un nombre limité de fois."
        ),
        disabled: Message(
            title: "Ce lien a été désactivé",
            text: "Son propriétaire l’a désactivé."),
        scheduled: Message(
            title: "Ce lien n’est pas encore actif",
            text: "Réessayez plus tard."),
        notFound: Message(
            title: "Page introuvable",
            text:
                "Le lien est peut-être incomplet ou a été supprimé."
        ),
        unavailable: Message(
            title: "Une erreur est survenue",
            text:
                "Impossible d’ouvrir ce lien pour le moment. Réessayez dans une minute."
        ),
        tooManyRequests: Message(
            title: "Trop de demandes",
            text: "Patientez une minute, puis réessayez."),
        malformed: Message(
            title: "Cette adresse n’est pas valide",
            text: "Elle contient peut-être une faute de frappe."),
        unknownHost: Message(
            title: "Rien ici pour l’instant",
            text: "Aucun lien n’est configuré pour cette adresse."),
        root: Message(
            title: "Cette adresse sert à ouvrir des liens",
            text:
                "Il n’y a pas de page ici. Utilisez le lien complet que vous avez reçu."
        ),
        visitWebsite: "Voir le site web")
}
