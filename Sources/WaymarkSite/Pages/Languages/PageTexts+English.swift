extension PageTexts {
    static let english = PageTexts(
        openIn: "Open in {app}",
        openApp: "Open the app",
        opensInApp: "This link opens in the app.",
        getApp: "Get the app",
        continueInBrowser: "Continue in browser",
        continueAfterInstall: "Continue where I left off",
        continueExplained: "Copies this link so the app can pick up here once it’s installed.",
        insideAnotherApp:
            "Nothing happening? You’re viewing this page inside another app. Choose “Open in browser” from its menu, or copy the link and paste it into your browser.",
        copyLink: "Copy link",
        copied: "Copied. Now open your browser.",
        copyByHand: "Copy this link: {link}",
        proceed: "Continue",
        oneMoment: "One moment…",
        openOnPhone: "Open this link on your phone",
        scanCode: "Point your phone’s camera at this code.",
        whereItLeads: "Where this link leads",
        onThisDevice: "On this device",
        onOtherDevices: "On other devices",
        app: "App", store: "Store", web: "Web",
        qrCode: "QR code of this link",
        isProtected: "This link is protected",
        enterPassword: "Enter its password to continue.",
        password: "Password",
        wrongPassword: "That password isn’t right. Please try again.",
        expired: Message(
            title: "This link has expired",
            text: "It’s no longer available. The person who sent it to you may have a newer one."),
        exhausted: Message(
            title: "This link is no longer available", text: "It could only be opened a limited number of times."),
        disabled: Message(title: "This link has been disabled", text: "Its owner has turned it off."),
        scheduled: Message(title: "This link isn’t active yet", text: "Please try again later."),
        notFound: Message(title: "Page not found", text: "The link may be incomplete, or it may have been removed."),
        unavailable: Message(
            title: "Something went wrong", text: "We can’t open this link right now. Please try again in a minute."),
        tooManyRequests: Message(
            title: "Too many requests", text: "Please wait a minute, then try again."),
        malformed: Message(title: "This address isn’t valid", text: "It may contain a typo."),
        unknownHost: Message(title: "Nothing here yet", text: "No links have been set up for this address."),
        root: Message(
            title: "You’ve reached a link address", text: "There’s no page here. Use the full link you were given."),
        visitWebsite: "Visit website")
}
