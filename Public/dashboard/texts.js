// All texts of the dashboard, in English.

// A text with a place for a value.
/** @param {string} text */
const say = (text) => (/** @type {string | number} */ value) => text.replace("%", () => String(value));

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
  link: "Link", app: "Application", domain: "Domain", tag: "Tag",
};

/** @type {Record<string, string>} */
const fields = {
  app: "Application", domain: "Domain", slug: "Slug", route: "Route", title: "Title", note: "Note", tags: "Tags", name: "Name",
  validFrom: "Valid from", expiresAt: "Expires", maxClicks: "Maximum clicks", redeemLimit: "Redeem limit",
  "social.title": "Card title", "social.description": "Card description", "social.imageURL": "Card image URL",
};

/** @type {Record<string, string>} */
const periods = {
  day: "Today", yesterday: "Yesterday", "7d": "7 days", "28d": "28 days", "91d": "91 days", month: "This month", lastMonth: "Last month", year: "This year",
  "12mo": "12 months", custom: "Custom",
};

/** @type {Record<string, string>} */
const scopeTexts = {
  read: "Reads links and statistics. Changes nothing.", links: "Creates, edits and deletes links.",
  create: "Only creates links. For apps.", resolve: "Resolves links. For apps.", admin: "Everything, including keys and applications.",
};

/** @type {Record<string, string>} */
const pages = {
  overview: "Overview", links: "Links", import: "Import", explain: "Explain", applications: "Applications", domains: "Domains", keys: "API keys", system: "System",
};

/** @type {Record<string, string>} */
const sources = {
  csv: "CSV", fdl: "Firebase Dynamic Links", branch: "Branch", bitly: "Bitly", rebrandly: "Rebrandly", shortio: "Short.io", dub: "Dub", shlink: "Shlink",
  kutt: "Kutt", yourls: "YOURLS", polr: "Polr", waymark: "Waymark",
};

/** @type {Record<string, string>} */
const notes = {
  csv: "Any CSV file. Columns named like fields of a link, such as slug or urls.web, need no assignment.", fdl: "The CSV files of Google Takeout.",
  branch: "JSON Lines of API answers, or CSV.", bitly: "An access token, or a CSV export.", rebrandly: "An API key, or a CSV export.", shortio: "An API key, or a CSV export.",
  dub: "An API key, or a CSV export.", shlink: "An API key and the server’s URL, or a CSV export.", kutt: "An API key and the server’s URL, or its SQLite file or SQL dump.",
  yourls: "The signature and the server’s URL, or a dump of its table.", polr: "A SQL dump, or CSV of the table.", waymark: "CSV or JSON Lines of “waymark links export”.",
};

/** @type {Record<string, string>} */
const importStates = { running: "Running", stopping: "Stopping", finished: "Finished", stopped: "Stopped", failed: "Failed" };

/** @type {Record<string, string>} */
const importOutcomes = { rows: "Rows", created: "New", same: "Same", clash: "Slug taken", refused: "Refused" };

export const texts = {
  pages, platforms, states, outcomes, clickFields, fields,
  loading: "Loading…", retry: "Try again", copy: "Copy", cancel: "Cancel", close: "Close", edit: "Edit", delete: "Delete", save: "Save",
  theText: "the text", copied: say("Copied %"),
  notCopied: "The browser doesn’t allow copying. Select the text instead.",
  sameByAPI: "The same by API", skip: "Skip to content", navigation: "Main", signOut: "Sign out", apiReference: "API reference",
  association: "Test association files", health: "Health",
  unknownPage: "Page not found", unknownPageDetail: "The dashboard has no such page.",
  errors: {
    unknown: "Something went wrong", offline: "The server doesn’t respond",
    offlineDetail: "Check the connection, and whether the server is running.",
    status: say("The server responded with status %"),
  },
  rights: {
    title: "Your key can’t do this",
    detail: say("It needs the scope “%”. Sign in with a key that has it, or ask an administrator for one."),
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
    create: "New link", search: "Search", app: "Application", tag: "Tag", caption: "Links, newest first", link: "Link",
    destination: "Destination", state: "State", clicks: "Clicks", created: "Created", actions: "Actions", copyTitle: "Copy this address",
    editOf: say("Edit %"), deleteOf: say("Delete %"),
    pages: "Pages", firstPage: "First page", nextPage: "Next page", goOn: "Continue searching",
    goesOn: "Nothing found so far", goesOnDetail: "There are more links to search.",
    nothingFound: "No link matches", nothingFoundDetail: "Search looks for this exact text in slugs, titles, notes, routes and destinations.",
    allLinks: "Show all links", none: "No links yet", noneDetail: "A link takes each visitor to the app, the store or the web page. Create the first one here or with curl:",
    deleteTitle: "Delete this link?", deleteDetail: say("% stops working, and its statistics are deleted. This can’t be undone."),
    deleted: say("Deleted %"), noRow: "Select a link first: press j",
  },
  link: {
    about: "About this link", open: "Open", enable: "Enable", disable: "Disable", enabled: "The link is enabled", disabled: "The link is disabled",
    redeems: "Redeems", updated: "Updated", ofMaximum: (/** @type {string} */ now, /** @type {string} */ most) => `${now} of ${most}`,
  },
  code: {
    title: "QR code", alt: say("QR code of %"), failed: "The QR code could not be loaded.",
    inactive: "Only active links have a QR code.",
    elsewhere: say("The QR code is served by %:"),
  },
  overview: {
    first: "No links yet", firstDetail: "A link takes each visitor to the app, the store or the web page. Enter a web page to create the first one:",
    orImport: "Or import links from another service", newest: "Show the newest link", attention: "Needs attention",
    attentionDetail: "People clicked these in this period, and they lead nowhere now.", problem: "Problem", unknown: "No link has this path",
  },
  clicks: {
    title: "Clicks", period: "Period", periods, from: "From", until: "To", compare: "Compare with", no: "–", yearBefore: "Previous year", by: "Break down by", csv: "CSV",
    shortcut: say("Shortcut: %"), clear: "Remove all filters",
    withoutFilter: say("Remove the filter %"),
    none: "No clicks in this period", noneDetail: "Copy the link and open it on a phone. Clicks appear here within seconds.",
    noneSuch: "No clicks match the filters", noneSuchDetail: "Remove a filter or choose a longer period.",
    peopleHead: "People", visitors: "Visitors", bots: "Bots", before: "Previous period", share: "Share", rest: "Others", noValue: "(none)",
    onlyThis: "Only clicks with this value", breakdown: (/** @type {string} */ field) => `Clicks by ${field.toLowerCase()}`,
    chart: say("Bar chart: % clicks of people,"), chartPeople: say("% people"),
    compared: "Bars: this period. Line: the period compared with.", asTable: "Table", caption: "Clicks over time", day: "Day", hour: "Hour",
    then: say("% in the period compared with"), botsToo: say("and % of bots"),
    all: say("Show %"), allOf: say("Show more: %"), nothing: "Nothing in this period.",
    openLink: say("Open %"), incomplete: "Some clicks of this period are no longer known: records are older than the retention time, or links have been deleted.",
  },
  explain: {
    about: "Where a URL of this server leads a visitor, and why. Nothing is counted.", second: "Compare with", nobody: "Nobody",
    title: "Who goes where", whoGoesWhere: "Where visitors are taken", visitor: "Visitor", outcome: "Result", destination: "Destination",
    try: "Try another visitor", own: "Other", at: "Time of the visit", submit: "Explain", candidates: "Destinations considered, in order",
    source: "Source", why: "Reason", seenAs: say("Recognized as: %."),
    response: say("HTTP status %."), counted: "Counted as a click:", notCounted: "Not counted as a click:",
  },
  form: {
    create: "New link", edit: say("Edit %"), submit: "Create link",
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
    left: say("% bytes left"), tooLarge: say("% bytes too many"),
    error: say("This field %."),
    taken: "is taken by another link", invalidJSON: "The text is not valid JSON", saved: "Saved",
    created: say("Created %"), explainedLater: "Shown after the link is created.",
    noApplication: "No application yet", noApplicationDetail: "A link belongs to an application. Create one first.",
    conflict: "Someone else changed this link", conflictDetail: "It has changed since you opened it. Load the current version and lose your changes, or save your changes over it; other fields stay as they are now.",
    loadTheirs: "Load the current version", saveMine: "Save my changes",
  },
  keys: {
    create: "New key", scopes: "Scopes", lastUsed: "Last used", never: "Never", expires: "Expires", all: "All applications",
    none: "No API keys yet", noneDetail: "The dashboard was opened with the key in the server’s environment. Create a key for each app, server and person.",
    nameHint: "What the key is for.", expiresHint: "In your time zone. Empty: never.", scopeTexts, revoke: "Revoke", revokeOf: say("Revoke %"),
    revokeTitle: say("Revoke the key “%”?"),
    revokeDetail: "Everything that uses it is refused at once, and its sessions end. This can’t be undone.",
    revoked: say("Revoked %"),
    once: "Copy the key now", onceDetail: "It is shown only once. The server stores a hash of it.",
  },
  applications: {
    create: "New application", id: "ID", idHint: "Letters, digits, dots, hyphens and underscores. It can’t be changed later.",
    domains: "Domains", linksHead: "Links", otherHosts: "All other hosts", showLinks: "Show links",
    none: "No applications yet", noneDetail: "An application is a set of domains, an iOS app, an Android app and a web site.",
    document: "Document (JSON)", documentHint: "Saving replaces the whole document.", readOnly: "Your key can read this document. Saving needs the scope “admin”.",
    saved: say("Saved %"), conflict: "Someone else changed this application. Load the current version; your text here is lost then, so copy it first.",
    deleteTitle: say("Delete the application “%”?"), deleteDetail: "Applications with links can’t be deleted.",
    deleted: say("Deleted %"),
  },
  imports: {
    sources, notes, states: importStates, outcomes: importOutcomes, source: "From", dryRun: "Check without importing", run: "Import now",
    about: "Links of another service keep their slugs. The check reads everything and creates nothing; you see its result before the import.",
    file: "Files", fileHint: "Leave empty to read from the service’s API.", key: "API key of the service", keyHint: "The server forgets it when the import ends.",
    url: "URL of the API", urlHint: "Only for services that you host yourself.", domainHint: "Empty: the domain that the source names, or the only one.",
    timeZone: "Time zone of times without one", map: "Columns", mapHint: "COLUMN=FIELD, one on each line, for columns that aren’t recognized.",
    earlier: "Earlier imports", state: "State", rows: "Rows", rehearsal: "check only", stop: "Stop", report: "Download the report", another: "Another import",
    again: "To import, start again with the same files: they are kept only while the page is open.",
    first: say("Report: the first % rows, those to look at first"),
    verify: "Verify", verifyDetail: "This command visits every link of the source as iPhone, iPad, Android and desktop, and reports what differs. No click is counted.",
  },
  domains: {
    address: "Address of links", root: "Root leads to", unknown: "Unknown paths lead to", files: "Association file",
    clicksOf: say("Clicks on %"), filesOf: say("Association file of %"),
    none: "No domains yet", noneDetail: "Add one to an application’s “domains”.", others: say("Links on all other hosts belong to: %."),
    add: "Add a domain", steps: ["Point the host at this server: an A or AAAA record with its address, or a CNAME to a name that has one.",
      "Give the server, or the proxy in front of it, a certificate for the host.", "Add the host to “domains” of one application. A host belongs to one application."],
  },
  system: {
    reload: "Reload", metric: "Metric", value: "Value", meaning: "Meaning", metrics: "Metrics since the server started", all: "All metrics",
    metricsElsewhere: "Metrics may answer on another listener (adminListen).",
    session: (/** @type {string} */ name, /** @type {string} */ scopes, /** @type {string | null} */ app) => `Signed in as ${name} (${scopes}${app ? `, ${app}` : ""}) until`,
  },
  files: {
    title: "Association files", try: "Test the URL", url: "Would this URL open the app?", file: "File", opens: say("Opens %"),
    stays: "Stays in the browser", trace: "Rules in their order", fits: "Fits", findings: "Findings", severity: "Severity", mend: "Remedy", clean: "No problems found.", none: "This application has none: they need an app ID for iOS, or a certificate fingerprint for Android.",
  },
  wizard: {
    about: "Enter what your apps have. Everything can be changed later in the application’s document.", preview: "Files and settings", create: "Create application",
    domains: "Domains", domainsHint: "Hosts of its links, separated by spaces. Empty: all hosts that no other application has.",
    web: "Web site", webHint: "For visitors without the app, where a link has no destination of its own.", teamHint: "In the Apple developer account under Membership.",
    scheme: "URL scheme", schemeHint: "Optional.", package: "Package", fingerprint: "SHA-256 certificate fingerprints",
    fingerprintHint: "From the Play Console under App signing, or “keytool -list -v”. Several are separated by spaces.",
    served: "The server answers with this file on the application’s domains. Nothing to upload.", xcode: "Signing & Capabilities, Associated Domains:",
    plist: "For the URL scheme:", manifest: "In the activity that opens links:", nothing: "The two association files and the settings of your apps appear here as you type.",
  },
  reference: {
    title: "API reference", about: "All calls of the REST API, made from", search: "Find a call", name: "Name", type: "Type", required: "Required", meaning: "Meaning", yes: "yes",
    scope: say("Scope: %"), open: "Needs no key.", request: "Request", parameters: "Parameters", body: "Body", headers: "Header fields:", status: "Status",
    problems: "Problem types", remedy: "Remedy",
  },
  keyboard: {
    title: "Keyboard shortcuts", here: "On this page", everywhere: "Everywhere", key: "Key", action: "Action", on: "Single-key shortcuts are on",
    notKept: "The browser can’t store this setting", search: "Search links", create: "New link", goTo: say("Go to: %"), help: "Show this help", leave: "Close a dialog, or leave a field", down: "Next link", up: "Previous link",
    copy: "Copy the link", code: "Show the QR code", edit: "Edit", delete: "Delete", toggle: "Enable or disable",
  },
};
