import WaymarkAPI
internal import WaymarkLinks

// The files that services write without an API in between. What a heading means is looked up without case and signs.

extension ServiceTable {
    /// Any file: columns whose headings are members of a link are known, the others are named with `--map`.
    package static let csv = ServiceTable(
        columns: [:], required: [[.url("web"), .url("ios"), .url("android"), .route, .firebase(.link)]])

    /// What `waymark links export --format csv` writes.
    package static let waymark = ServiceTable(
        columns: [:], required: [[.smartlink, .slug], [.url("web"), .url("ios"), .url("android"), .route]])

    package static let bitly = ServiceTable(
        columns: [
            "longurl": .url("web"), "destination": .url("web"), "destinationurl": .url("web"),
            "originalurl": .url("web"),
            "link": .smartlink, "shortlink": .smartlink, "bitlink": .smartlink, "shorturl": .smartlink,
            "id": .smartlink,
            "title": .label(.title), "createdat": .createdAt, "created": .createdAt, "datecreated": .createdAt,
            "archived": .archived, "tags": .tags, "custombitlinks": .aliases, "custombitlink": .aliases,
            "customlink": .aliases,
            "clicks": .importedClicks, "totalclicks": .importedClicks, "engagements": .importedClicks,
            "totalengagements": .importedClicks,
        ], required: [[.smartlink], [.url("web")]])

    package static let rebrandly = ServiceTable(
        columns: [
            "destination": .url("web"), "destinationurl": .url("web"), "longurl": .url("web"), "slashtag": .slug,
            "shorturl": .smartlink, "link": .smartlink, "domain": .domain, "domainname": .domain,
            "domainfullname": .domain, "title": .label(.title), "createdat": .createdAt, "created": .createdAt,
            "tags": .tags,
            "clicks": .importedClicks, "expiredat": .expiresAt, "forwardparameters": .forwardQuery,
        ], required: [[.smartlink, .slug], [.url("web")]])

    package static let shlink = ServiceTable(
        columns: [
            "longurl": .url("web"), "shortcode": .slug, "shorturl": .smartlink, "domain": .domain,
            "title": .label(.title),
            "tags": .tags, "createdat": .createdAt, "datecreated": .createdAt, "visits": .importedClicks,
            "visitscount": .importedClicks, "validsince": .validFrom, "validuntil": .expiresAt, "maxvisits": .maxClicks,
        ], required: [[.smartlink, .slug], [.url("web")]],
        finish: { link in
            link.draft.queryOverride = true
            if let most = link.draft.maxClicks { link.limitClicks(to: most, made: link.importedClicks) }
        })

    /// Kutt's table `links`.
    package static let kutt = ServiceTable(
        columns: [
            "address": .slug, "link": .smartlink, "target": .url("web"), "description": .label(.title),
            "domain": .domain,
            "domainaddress": .domain, "password": .password, "banned": .disabled, "expirein": .expiresAt,
            "visitcount": .importedClicks, "createdat": .createdAt,
        ], required: [[.smartlink, .slug], [.url("web")]])

    /// YOURLS' table `url`.
    package static let yourls = ServiceTable(
        columns: [
            "keyword": .slug, "shorturl": .smartlink, "url": .url("web"), "longurl": .url("web"),
            "title": .label(.title),
            "timestamp": .createdAt, "clicks": .importedClicks,
        ], required: [[.smartlink, .slug], [.url("web")]])

    /// Polr's table `links`. A link with a secret ending works only with it.
    package static let polr = ServiceTable(
        columns: [
            "shorturl": .slug, "longurl": .url("web"), "clicks": .importedClicks, "secretkey": .slugEnding,
            "isdisabled": .disabled, "createdat": .createdAt,
        ], required: [[.slug], [.url("web")]])

    /// A file about Branch's links, whose columns no document names: the keys of its answers, and `--map`.
    package static let branch = ServiceTable(
        columns: [
            "url": .smartlink, "link": .smartlink, "branchlink": .smartlink, "alias": .slug, "desktopurl": .url("web"),
            "fallbackurl": .url("web"), "iosurl": .url("ios"), "ipadurl": .url("ipad"), "androidurl": .url("android"),
            "ogtitle": .social(.title), "ogdescription": .social(.description), "ogimageurl": .social(.imageURL),
            "channel": .campaign(.source), "feature": .campaign(.medium), "campaign": .campaign(.name), "tags": .tags,
            "marketingtitle": .label(.title), "title": .label(.title), "createdat": .createdAt,
            "creationdate": .createdAt,
            "clicks": .importedClicks,
        ], required: [[.smartlink, .slug], [.url("web")]])
}
