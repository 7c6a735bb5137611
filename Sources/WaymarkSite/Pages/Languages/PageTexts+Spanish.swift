extension PageTexts {
    static let spanish = PageTexts(
        openIn: "Abrir en {app}",
        openApp: "Abrir la app",
        opensInApp: "Este enlace se abre en la app.",
        getApp: "Obtener la app",
        continueInBrowser: "Continuar en el navegador",
        continueAfterInstall: "Continuar donde lo dejé",
        continueExplained:
            "Copia este enlace para que la app pueda continuar aquí cuando esté instalada.",
        insideAnotherApp:
            "¿No pasa nada? Estás viendo esta página dentro de otra app. Elige «Abrir en el navegador» en su menú o copia el enlace y pégalo en tu navegador.",
        copyLink: "Copiar enlace",
        copied: "Copiado. Ahora abre tu navegador.",
        copyByHand: "Copia este enlace: {link}",
        proceed: "Continuar",
        oneMoment: "Un momento…",
        openOnPhone: "Abre este enlace en tu teléfono",
        scanCode: "Apunta con la cámara de tu teléfono a este código.",
        whereItLeads: "Adónde lleva este enlace",
        onThisDevice: "En este dispositivo",
        onOtherDevices: "En otros dispositivos",
        app: "App",
        store: "Tienda",
        web: "Web",
        qrCode: "Código QR de este enlace",
        isProtected: "Este enlace está protegido",
        enterPassword: "Introduce la contraseña para continuar.",
        password: "Contraseña",
        wrongPassword: "La contraseña no es correcta. Inténtalo de nuevo.",
        expired: Message(
            title: "Este enlace ha caducado",
            text:
                "Ya no está disponible. Es posible que quien te lo envió tenga uno más reciente."
        ),
        exhausted: Message(
            title: "Este enlace ya no está disponible",
            text:
                "Solo se podía abrir un número limitado de veces."
        ),
        disabled: Message(
            title: "Este enlace está desactivado",
            text: "Su propietario lo ha desactivado."),
        scheduled: Message(
            title: "Este enlace aún no está activo",
            text: "Vuelve a intentarlo más tarde."),
        notFound: Message(
            title: "Página no encontrada",
            text:
                "Puede que el enlace esté incompleto o que se haya eliminado."
        ),
        unavailable: Message(
            title: "Algo ha salido mal",
            text:
                "No podemos abrir este enlace en este momento. Vuelve a intentarlo en un minuto."
        ),
        tooManyRequests: Message(
            title: "Demasiadas solicitudes",
            text: "Espera un minuto y vuelve a intentarlo."),
        malformed: Message(
            title: "Esta dirección no es válida",
            text: "Puede que contenga un error tipográfico."),
        unknownHost: Message(
            title: "Aquí aún no hay nada",
            text: "No hay enlaces configurados para esta dirección."),
        root: Message(
            title: "Esta dirección es para enlaces",
            text:
                "Aquí no hay ninguna página. Usa el enlace completo que recibiste."
        ),
        visitWebsite: "Visitar el sitio web")
}
