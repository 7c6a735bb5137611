import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkSite

// Query parameters.
extension Parameter {
    /// Those of one call, by its operation; a name that is not among them is one of `clickFilters`.
    private static let queries: [String: [Parameter]] = [
        "listLinks": listing,
        "appliedVersions": [
            .query("owner", .text, "Whose links."), .query("app", .text, "Of this application."),
        ],
        "listFolders": [.query("app", .text, "Only folders of this application.")],
        "countClicks": clickCounts,
        "countEvents": eventCounts,
        "reportClicks": clickReport,
        "sumConversions": conversions,
        "listDeliveries": deliveries,
        "linkHistory": history,
        "listAudit": audit,
        "hokoListSmartlinks": hokoList,
        "hokoMetadata": hokoMetadata,
        "lazyLink": lazy,
        "getFirebaseLinkStatistics": firebaseStatistics,
        "linkQRCodePNG": pictures,
        "linkQRCodeSVG": pictures,
        "qrCodePNG": pictures,
        "qrCodeSVG": pictures,
    ]

    static func query(_ name: String, of operation: String) -> Parameter? {
        ((queries[operation] ?? []) + clickFilters).first { $0.name == name }
    }

    /// Filters on the fields of clicks, and the format of the answer.
    private static let clickFilters: [Parameter] = [
        .query("format", .choice(["json", "csv"]), "Decides ahead of `Accept`."),
        .query("platform", .text, "Only clicks with this value; `none`: only those without any."),
        .query("device", .text, "Only clicks with this value; `none`: only those without any."),
        .query("browser", .text, "Only clicks with this value; `none`: only those without any."),
        .query("inApp", .text, "Only clicks with this value; `none`: only those without any."),
        .query("bot", .text, "Only clicks with this value; `none`: only those without any."),
        .query(
            "language", .text,
            "A language tag, such as `de` or `pt-BR`. Only clicks with this value; `none`: only those without any."),
        .query(
            "country", .text,
            "Two letters, such as `DE`. Only clicks with this value; `none`: only those without any."),
        .query(
            "referrerHost", .text,
            """
            Only clicks from pages of this host, or from this Android app: `app:com.example.mail`; `none`: only \
            those without any.
            """),
        .query("campaign", .text, "Only clicks with this value; `none`: only those without any."),
        .query("destination", .text, "Only clicks with this value; `none`: only those without any."),
        .query(
            "rule", .text,
            """
            Only clicks by the rule with this name or number (`2`, `app/1` for one of the application); `none`: only \
            those that no rule decided.
            """),
        .query(
            "variant", .text,
            "Only clicks by the rule with this name and a `percentage`; `none`: only those without any."),
    ]

    private static let listing: [Parameter] = [
        .query("app", .text, "Only links of this application."),
        .query("domain", .text, "Only links of this domain."),
        .query("tag", .text, "Only links with this tag."),
        .query("folder", .text, "Only links in this folder or below it, such as `campaigns/spring`."),
        .query("campaign", .text, "Only links whose `campaign.name` is this."),
        .query("managedBy", .text, "Only links whose `managedBy` is this."),
        .query("state", .linkState, "Only links in this state."),
        .query(
            "verified", .choice(["good", "broken", "unknown"]),
            "Only active links that the verification found so. Goes with the orders by creation."),
        .query("createdFrom", .text, "Only links created at this time or later: a date (UTC) or an RFC 3339 time."),
        .query("createdTo", .text, "Only links created before this time, or on this date (UTC) or earlier."),
        .query(
            "query", .text(1...2_048),
            """
            Literal text found in slug, \(LinkLabel.names), route or destination, 1 to 200 bytes. A page examines \
            links for at most 50 ms and may then be empty with a cursor. Or the address of a link, with or without \
            scheme, query and fragment: then this link alone is listed.
            """),
        .query(
            "search", .text(1...2_048),
            """
            Up to 16 words. Each is the beginning, without regard to case, of a word in slug, \(LinkLabel.names), \
            destinations, route or tags; letters and digits make words. Uses an index, except in the orders \
            `-clicks` and `expiresAt`. Or the address of a link, with or without scheme, query and fragment: then \
            this link alone is listed.
            """, example: "go.example.com/summer-sale"),
        .query(
            "sort", .choice(["-createdAt", "createdAt", "-clicks", "expiresAt"]).usually("-createdAt"),
            """
            The order: by creation, by clicks (as of some seconds ago, the most first), or by expiry (links that \
            never expire come last).
            """),
        .query("count", .flag.usually(false), "Whether to answer `total` too."),
        .query(
            "include", .choice(["recentClicks"]),
            "Answers the clicks of the last 30 days on the page's links too, and counts as a call for statistics."),
        .query("limit", .integer(1...200).usually(50), "Maximum number of links on the page."),
        .query("cursor", .text, "As the page before gave it, with the same `sort`."),
    ]

    private static let clickCounts: [Parameter] = [
        .query(
            "from", .text,
            """
            From when: a date or an RFC 3339 time, rounded down to a whole interval. Default: 30 days up to and \
            including the day of `to`. At most 400 days before `to`, with `interval=hour` 31.
            """),
        .query(
            "to", .text,
            """
            Until when: an RFC 3339 time, rounded up to a whole interval and itself left out, or a date, the whole \
            of which is meant. Default: now.
            """),
        .query("interval", .choice(["hour", "day"]).usually("day"), "What the time is divided into, in UTC."),
        .query(
            "by", .choice(ClickField.allCases.map(\.name)),
            "The field by whose values the clicks of each interval are told apart."),
    ]

    private static let eventCounts: [Parameter] = [
        .query(
            "from", .text,
            """
            From which day on: a date or an RFC 3339 time, rounded down to a day. Default: 30 days up to and \
            including the day of `to`. At most 400 days before `to`.
            """),
        .query(
            "to", .text,
            """
            Until when: an RFC 3339 time, rounded up to a day and itself left out, or a date, the whole of which is \
            meant. Default: now.
            """),
        .query("interval", .choice(["day"]).usually("day"), "Always `day`."),
    ]

    private static let clickReport: [Parameter] = [
        .query(
            "from", .text,
            """
            The start: a date, or an RFC 3339 time, rounded down to a whole interval. Default: 30 days up to and \
            including the day of `to`. At most 400 days before `to`, with `interval=hour` 31, with `interval=total` \
            1,100.
            """),
        .query(
            "to", .text,
            """
            The end: an RFC 3339 time, rounded up to a whole interval and not included, or a date, which is \
            included. Default: now.
            """),
        .query(
            "interval", .choice(["hour", "day", "total"]).usually("day"),
            """
            How the time is divided; `total`: not at all. Hours are counted from the start of the zone's day; where \
            clocks change by half an hour, the last one is cut at the day's end.
            """),
        .query("app", .list(of: .text, atMost: 100), "Only links of these applications."),
        .query("domain", .list(of: .text, atMost: 100), "Only links on these domains."),
        .query("tag", .list(of: .text, atMost: 100), "Only links with any of these tags."),
        .query(
            "link", .list(of: .text, atMost: 100),
            "Only these links, each as its domain and slug: `go.example.com/sale`."),
        .query(
            "by", .text,
            "Up to four fields, separated by commas; the clicks of each interval by the values of each of them."),
        .query(
            "top", .text,
            """
            Lists of the 50 with the most clicks of people, separated by commas: `links`, `referrers`, `countries`, \
            `campaigns`, `unknown` (addresses that no link has), `probes` (those of them that browsers and scanners \
            request from every host: icons, `ads.txt`, WordPress, `.env`); the last two only with `app` and \
            `domain`.
            """),
        .query(
            "compare", .choice(["previous", "year"]),
            """
            Also the total of an earlier period: moved back by as many of the zone's days as the period has \
            (`previous`), or to the same dates a year before. If the period ends today or later, the earlier one \
            ends at the same time of day, at the end of the running quarter of an hour.
            """),
        .query(
            "timeZone", .text.usually("UTC"),
            """
            The zone of days and dates, by its name in the IANA database, such as `Europe/Berlin` or `Japan`. \
            Abbreviations that are no such names (`PST`) are refused.
            """),
        .query(
            "campaign", .list(of: .text, atMost: 100),
            "Only clicks with any of these values; `none`: only those without any."),
    ]

    private static let conversions: [Parameter] = [
        .query("from", .text, "A date, or an RFC 3339 time; default: 30 days with `to`."),
        .query("to", .text, "A date, which is included, or an RFC 3339 time; default: now."),
        .query("app", .text),
        .query("link", .text, "Domain and slug, as in go.example.com/sale."),
        .query("campaign", .text),
        .query("rule", .text, "A name or number of a rule, or none."),
        .query("variant", .text, "The name of a rule with a percentage, or none."),
        .query("by", .choice(["link", "campaign", "day", "name", "rule", "variant"]).usually("link")),
    ]

    private static let audit: [Parameter] = [
        .query("key", .text, "Only what this key did, by its id."),
        .query("person", .text, "Only what this person did, by the id."),
        .query("action", .text, "Only this action, such as `link.created`, or a group of them, such as `link.*`."),
        .query("from", .text, "Only from this time on: a date (UTC) or an RFC 3339 time."),
        .query("to", .text, "Only before this time, or up to this date (UTC)."),
        .query("format", .choice(["json", "jsonl"]), "`jsonl`: all entries, each on a line of its own."),
        .query("limit", .integer(1...200).usually(50)),
        .query("cursor", .text),
    ]

    private static let history: [Parameter] = [
        .query("limit", .integer(1...100).usually(50), "Maximum number of versions; a page may have fewer."),
        .query("cursor", .text, "As the page before gave it."),
    ]

    private static let deliveries: [Parameter] = [
        .query("state", .choice(["delivered", "waiting", "failed"])),
        .query("limit", .integer(1...200).usually(50)),
        .query("cursor", .text),
    ]

    private static let pictures: [Parameter] = [
        .query(
            "size", .integer(QRCode.sizes).usually(JSONValue(QRCode.defaultSize)),
            "Width and height in pixels. A PNG must have at least one for each module, margins included.",
            shared: "PictureSize"),
        .query(
            "margin", .integer(QRCode.margins).usually(JSONValue(QRCode.defaultMargin)),
            "Width of the quiet zone around the code, in modules.", shared: "PictureMargin"),
        .query(
            "level", .choice(["L", "M", "Q", "H"]).usually("M"),
            """
            Error correction (ISO/IEC 18004): how much of the code may be dirty or covered, about 7, 15, 25 or 30 %. \
            More makes the code finer.
            """, shared: "PictureLevel"),
        .query(
            "dark", .text.usually("000000").pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"),
            """
            Colour of the dark modules. It must give back at least 55 % less light than `light` does, or readers \
            miss the code: less is 422.
            """, shared: "PictureDark"),
        .query(
            "light", .text.usually("FFFFFF").pattern("^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"),
            "Colour of the paper, the margin included.", shared: "PictureLight"),
        .query(
            "logo", .flag.usually(true),
            "Whether the application's logo, if it has one, is in the code; `level` is then `H`, or `Q` if asked for.",
            shared: "PictureLogo"),
    ]

    private static let hokoList: [Parameter] = [
        .query("cursor", .text, "Of the page before.")
    ]

    private static let hokoMetadata: [Parameter] = [
        .query("_hk_cid", .text, "The click's id."),
        .query("_hk_sid", .text, "The link's code, where there is no click."),
    ]

    private static let lazy: [Parameter] = [
        .query(
            "uri", .text,
            """
            A path, a URL of the app, or a web URL on a host that `destinations.allowedHosts`, `web.baseURL` or a \
            template names.
            """, isRequired: true)
    ]

    private static let firebaseStatistics: [Parameter] = [
        .query("durationDays", .integer(from: 1), isRequired: true)
    ]
}
