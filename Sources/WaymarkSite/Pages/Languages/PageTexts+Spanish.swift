extension PageTexts {
    static let spanish = PageTexts(
        openIn: "Abrir\u{202F}en\u{202F}{app}",
        openApp: "Abrir\u{202F}la\u{202F}app",
        opensInApp: "Este\u{202F}enlace\u{202F}se\u{202F}abre\u{202F}en\u{202F}la\u{202F}app.",
        getApp: "Obtener\u{202F}la\u{202F}app",
        continueInBrowser: "Continuar\u{202F}en\u{202F}el\u{202F}navegador",
        continueAfterInstall: "Continuar\u{202F}donde\u{202F}lo\u{202F}dejé",
        continueExplained:
            "Copia\u{202F}este\u{202F}enlace\u{202F}para\u{202F}que\u{202F}la\u{202F}app\u{202F}pueda\u{202F}continuar\u{202F}aquí\u{202F}cuando\u{202F}esté\u{202F}instalada.",
        insideAnotherApp:
            "¿No\u{202F}pasa\u{202F}nada?\u{202F}Estás\u{202F}viendo\u{202F}esta\u{202F}página\u{202F}dentro\u{202F}de\u{202F}otra\u{202F}app.\u{202F}Elige\u{202F}«Abrir\u{202F}en\u{202F}el\u{202F}navegador»\u{202F}en\u{202F}su\u{202F}menú\u{202F}o\u{202F}copia\u{202F}el\u{202F}enlace\u{202F}y\u{202F}pégalo\u{202F}en\u{202F}tu\u{202F}navegador.",
        copyLink: "Copiar\u{202F}enlace",
        copied: "Copiado.\u{202F}Ahora\u{202F}abre\u{202F}tu\u{202F}navegador.",
        copyByHand: "Copia\u{202F}este\u{202F}enlace:\u{202F}{link}",
        proceed: "Continuar",
        oneMoment: "Un\u{202F}momento…",
        whereItLeads: "Adónde\u{202F}lleva\u{202F}este\u{202F}enlace",
        onThisDevice: "En\u{202F}este\u{202F}dispositivo",
        onOtherDevices: "En\u{202F}otros\u{202F}dispositivos",
        app: "App",
        store: "Tienda",
        web: "Web",
        qrCode: "Código\u{202F}QR\u{202F}de\u{202F}este\u{202F}enlace",
        expired: Message(
            title: "Este\u{202F}enlace\u{202F}ha\u{202F}caducado",
            text:
                "Ya\u{202F}no\u{202F}está\u{202F}disponible.\u{202F}Es\u{202F}posible\u{202F}que\u{202F}quien\u{202F}te\u{202F}lo\u{202F}envió\u{202F}tenga\u{202F}uno\u{202F}más\u{202F}reciente."
        ),
        exhausted: Message(
            title: "Este\u{202F}enlace\u{202F}ya\u{202F}no\u{202F}está\u{202F}disponible",
            text:
                "Solo\u{202F}se\u{202F}podía\u{202F}abrir\u{202F}un\u{202F}número\u{202F}limitado\u{202F}de\u{202F}veces."
        ),
        disabled: Message(
            title: "Este\u{202F}enlace\u{202F}está\u{202F}desactivado",
            text: "Su\u{202F}propietario\u{202F}lo\u{202F}ha\u{202F}desactivado."),
        scheduled: Message(
            title: "Este\u{202F}enlace\u{202F}aún\u{202F}no\u{202F}está\u{202F}activo",
            text: "Vuelve\u{202F}a\u{202F}intentarlo\u{202F}más\u{202F}tarde."),
        notFound: Message(
            title: "Página\u{202F}no\u{202F}encontrada",
            text:
                "Puede\u{202F}que\u{202F}el\u{202F}enlace\u{202F}esté\u{202F}incompleto\u{202F}o\u{202F}que\u{202F}se\u{202F}haya\u{202F}eliminado."
        ),
        unavailable: Message(
            title: "Algo\u{202F}ha\u{202F}salido\u{202F}mal",
            text:
                "No\u{202F}podemos\u{202F}abrir\u{202F}este\u{202F}enlace\u{202F}en\u{202F}este\u{202F}momento.\u{202F}Vuelve\u{202F}a\u{202F}intentarlo\u{202F}en\u{202F}un\u{202F}minuto."
        ),
        tooManyRequests: Message(
            title: "Demasiadas\u{202F}solicitudes",
            text: "Espera\u{202F}un\u{202F}minuto\u{202F}y\u{202F}vuelve\u{202F}a\u{202F}intentarlo."),
        malformed: Message(
            title: "Esta\u{202F}dirección\u{202F}no\u{202F}es\u{202F}válida",
            text: "Puede\u{202F}que\u{202F}contenga\u{202F}un\u{202F}error\u{202F}tipográfico."),
        unknownHost: Message(
            title: "Aquí\u{202F}aún\u{202F}no\u{202F}hay\u{202F}nada",
            text: "No\u{202F}hay\u{202F}enlaces\u{202F}configurados\u{202F}para\u{202F}esta\u{202F}dirección."),
        root: Message(
            title: "Esta\u{202F}dirección\u{202F}es\u{202F}para\u{202F}enlaces",
            text:
                "Aquí\u{202F}no\u{202F}hay\u{202F}ninguna\u{202F}página.\u{202F}Usa\u{202F}el\u{202F}enlace\u{202F}completo\u{202F}que\u{202F}recibiste."
        ),
        visitWebsite: "Visitar\u{202F}el\u{202F}sitio\u{202F}web")
}
