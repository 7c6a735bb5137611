// All texts of the dashboard, in English.

/** @type {Record<string, string>} */
const platforms = { web: "Web", ios: "iOS", iphone: "iPhone", ipad: "iPad", android: "Android", macos: "macOS", windows: "Windows", linux: "Linux" };

/** @type {Record<string, string>} */
const states = { active: "Active", scheduled: "Scheduled", expired: "Expired", exhausted: "Exhausted", disabled: "Disabled" };

/** @type {Record<string, string>} */
const outcomes = {
    redirect: "Redirect", openApp: "Opens the app", store: "App store", page: "Page", preview: "Link preview", gone: "Gone",
    scheduled: "Not yet available", notFound: "Not found",
};

/** @type {Record<string, string>} */
const clickFields = {
    platform: "Platform", device: "Device", browser: "Browser", inApp: "In-app browser", bot: "Bot", language: "Language",
    country: "Country", referrerHost: "Referrer", campaign: "Campaign", destination: "Destination",
};

/** @type {Record<string, string>} */
const fields = {
    app: "Application", domain: "Domain", slug: "Slug", route: "Route", title: "Title", note: "Note", tags: "Tags", name: "Name",
    validFrom: "Valid from", expiresAt: "Expires", maxClicks: "Maximum clicks", redeemLimit: "Redeem limit",
    "social.title": "Card title", "social.description": "Card description", "social.imageURL": "Card image URL",
};

/** @type {Record<string, string>} */
const periods = { day: "Today", "7d": "7 days", "30d": "30 days", "91d": "91 days", "365d": "12 months" };

/** @type {Record<string, string>} */
const scopeTexts = {
    read: "Reads links and statistics. Changes nothing.", links: "Creates, edits and deletes links.",
    create: "Only creates links. For apps.", resolve: "Resolves links. For apps.", admin: "Everything, including keys and applications.",
};

export const texts = {
    platforms, states, outcomes, clickFields, fields,
    loading: "Loading…", retry: "Try again", copy: "Copy", cancel: "Cancel", close: "Close", edit: "Edit", delete: "Delete", save: "Save",
    theText: "the text", copied: (/** @type {string} */ text) => `Copied ${text}`,
    notCopied: "The browser doesn’t allow copying. Select the text instead.",
    sameByAPI: "The same by API", skip: "Skip to content", navigation: "Main", signOut: "Sign out", reference: "API description",
    association: "Test association files", health: "Health",
    unknownPage: "Page not found", unknownPageDetail: "The dashboard has no such page.",
    errors: {
        unknown: "Something went wrong", offline: "The server doesn’t respond",
        offlineDetail: "Check the connection, and whether the server is running.",
        status: (/** @type {number} */ status) => `The server responded with status ${status}`,
    },
    rights: {
        title: "Your key can’t do this",
        detail: (/** @type {string} */ scope) => `It needs the scope “${scope}”. Sign in with a key that has it, or ask an administrator for one.`,
    },
    signIn: {
        about: "Sign in to manage links, applications and API keys.", key: "API key", submit: "Sign in",
        kept: "The browser doesn’t store the key. The session ends after 12 hours.",
        where: "Where do I get a key?", whereDetail: "Create one on the server:",
        server: "This server:", ready: "ready", notReady: "running, but not ready: its database is unavailable",
        unsupported: "This server has no dashboard sessions", unsupportedDetail: "Upgrade the server, or use the REST API.",
        ended: "Your session has ended. Sign in again.",
    },
    links: {
        title: "Links", create: "New link", search: "Search", app: "Application", tag: "Tag", caption: "Links, newest first", link: "Link",
        destination: "Destination", state: "State", clicks: "Clicks", created: "Created", actions: "Actions", copyTitle: "Copy this address",
        editOf: (/** @type {string} */ slug) => `Edit ${slug}`, deleteOf: (/** @type {string} */ slug) => `Delete ${slug}`,
        pages: "Pages", firstPage: "First page", nextPage: "Next page", goOn: "Continue searching",
        goesOn: "Nothing found so far", goesOnDetail: "There are more links to search.",
        nothingFound: "No link matches", nothingFoundDetail: "Search looks for this exact text in slugs, titles, notes, routes and destinations.",
        allLinks: "Show all links", none: "No links yet", noneDetail: "A link takes each visitor to the app, the store or the web page. Create the first one here or with curl:",
        deleteTitle: "Delete this link?", deleteDetail: (/** @type {string} */ link) => `${link} stops working, and its statistics are deleted. This can’t be undone.`,
        deleted: (/** @type {string} */ slug) => `Deleted ${slug}`, noRow: "Select a link first: press j",
    },
    link: {
        about: "About this link", open: "Open", enable: "Enable", disable: "Disable", enabled: "The link is enabled", disabled: "The link is disabled",
        redeems: "Redeems", updated: "Updated", ofMaximum: (/** @type {string} */ now, /** @type {string} */ most) => `${now} of ${most}`,
    },
    code: {
        title: "QR code", alt: (/** @type {string} */ link) => `QR code of ${link}`, failed: "The QR code could not be loaded.",
        inactive: "Only active links have a QR code.",
        elsewhere: (/** @type {string} */ host) => `The QR code is served by ${host}:`,
    },
    clicks: {
        title: "Clicks", period: "Period", periods, compare: "Compare with previous period", by: "Break down by", csv: "CSV",
        shortcut: (/** @type {string} */ key) => `Shortcut: ${key}`,
        withoutFilter: (/** @type {string} */ field, /** @type {string} */ value) => `Remove the filter ${field}: ${value}`,
        none: "No clicks in this period", noneDetail: "Copy the link and open it on a phone. Clicks appear here within seconds.",
        noneSuch: "No clicks match the filters", noneSuchDetail: "Remove a filter or choose a longer period.",
        peopleHead: "People", visitors: "Visitors", bots: "Bots", before: "Previous period", share: "Share", rest: "Others", noValue: "(none)",
        onlyThis: "Only clicks with this value", breakdown: (/** @type {string} */ field) => `Clicks by ${field.toLowerCase()}`,
        chart: (/** @type {string} */ clicks) => `Bar chart: ${clicks} clicks of people,`, people: (/** @type {string} */ clicks) => `${clicks} people`,
        compared: "Bars: this period. Line: the previous period.", asTable: "Table", caption: "Clicks over time", day: "Day (UTC)", hour: "Hour",
    },
    explain: {
        title: "Who goes where", whoGoesWhere: "Where visitors are taken", visitor: "Visitor", outcome: "Result", destination: "Destination",
        try: "Try another visitor", own: "Other", at: "Time of the visit", submit: "Explain", candidates: "Destinations considered, in order",
        source: "Source", why: "Reason", seenAs: (/** @type {string} */ visitor) => `Recognized as: ${visitor}.`,
        response: (/** @type {number} */ status) => `HTTP status ${status}.`, counted: "Counted as a click:", notCounted: "Not counted as a click:",
    },
    form: {
        create: "New link", edit: (/** @type {string} */ slug) => `Edit ${slug}`, submit: "Create link",
        destination: "Destination", destinationHint: "The web page for visitors without the app. Optional with a route.",
        slugPlaceholder: "Random", slugHint: "The path of the link, such as summer or summer/sale. It can’t be changed later.",
        titleHint: "For lists. Visitors never see it.", tagsHint: "Up to 16, separated by commas.",
        noRoute: "No route", routeHint: "Destinations come from the application’s template.",
        platforms: "Destinations by platform", platformsHint: "A web address, or a URL with the app’s own scheme. Each wins over the template and the web destination.",
        fallback: "Without the app", fallbackPlaceholder: "store, web or a URL",
        campaign: "Campaign (UTM)", campaignHint: "Added to web destinations, and to the Play Store’s referrer.",
        limits: "Limits", localTime: "In your time zone.", maxClicksHint: "Clicks of people. Empty: unlimited.",
        redeemLimitHint: "How many resolves receive the app payload. Empty: all.",
        card: "Social card", cardHint: "What messengers and social networks show for this link.",
        payload: "App payload (JSON)", payloadHint: "Private data for the app, as a JSON object.",
        payloadKept: "This link has a payload, which is not shown. Members given here are added to it or replace those of the same name.",
        dropPayload: "Remove the payload",
        left: (/** @type {number} */ bytes) => `${bytes} bytes left`, tooLarge: (/** @type {number} */ bytes) => `${bytes} bytes too many`,
        error: (/** @type {string} */ problem) => `This field ${problem}.`,
        taken: "is taken by another link", invalidJSON: "The text is not valid JSON", saved: "Saved",
        created: (/** @type {string} */ link) => `Created ${link}`, explainedLater: "Shown after the link is created.",
        noApplication: "No application yet", noApplicationDetail: "A link belongs to an application. Create one first.",
        conflict: "Someone else changed this link", conflictDetail: "It has changed since you opened it. Load the current version and lose your changes, or save your changes over it; other fields stay as they are now.",
        loadTheirs: "Load the current version", saveMine: "Save my changes",
    },
    keys: {
        title: "API keys", caption: "API keys", create: "New key", scopes: "Scopes", lastUsed: "Last used", never: "Never", expires: "Expires", all: "All applications",
        none: "No API keys yet", noneDetail: "The dashboard was opened with the key in the server’s environment. Create a key for each app, server and person.",
        nameHint: "What the key is for.", scopeTexts, revoke: "Revoke", revokeOf: (/** @type {string} */ name) => `Revoke ${name}`,
        revokeTitle: (/** @type {string} */ name) => `Revoke the key “${name}”?`,
        revokeDetail: "Everything that uses it is refused at once, and its sessions end. This can’t be undone.",
        revoked: (/** @type {string} */ name) => `Revoked ${name}`,
        once: "Copy the key now", onceDetail: "It is shown only once. The server stores a hash of it.",
    },
    applications: {
        title: "Applications", caption: "Applications", create: "New application", id: "ID", idHint: "Letters, digits, dots, hyphens and underscores. It can’t be changed later.",
        goOn: "Continue", domains: "Domains", linksHead: "Links", otherHosts: "All other hosts", showLinks: "Show links",
        none: "No applications yet", noneDetail: "An application is a set of domains, an iOS app, an Android app and a web site.",
        document: "Document (JSON)", documentHint: "Saving replaces the whole document.", readOnly: "Your key can read this document. Saving needs the scope “admin”.",
        saved: (/** @type {string} */ id) => `Saved ${id}`, conflict: "Someone else changed this application. Load the current version; your text here is lost then, so copy it first.",
        exists: (/** @type {string} */ id) => `The application “${id}” exists already. This is its document.`,
        deleteTitle: (/** @type {string} */ id) => `Delete the application “${id}”?`, deleteDetail: "Applications with links can’t be deleted.",
        deleted: (/** @type {string} */ id) => `Deleted ${id}`,
    },
    keyboard: {
        title: "Keyboard shortcuts", here: "On this page", everywhere: "Everywhere", key: "Key", action: "Action", on: "Single-key shortcuts are on",
        notKept: "The browser can’t store this setting", search: "Search links", create: "New link", links: "Go to links", applications: "Go to applications",
        keys: "Go to API keys", help: "Show this help", leave: "Close a dialog, or leave a field", down: "Next link", up: "Previous link",
        copy: "Copy the link", code: "Show the QR code", edit: "Edit", delete: "Delete", toggle: "Enable or disable",
    },
};
