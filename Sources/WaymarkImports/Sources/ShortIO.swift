import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

extension ForeignLink {
    package static func shortIO(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        guard link.text(value["path"]) != nil else {
            link.refuse("it is the redirect of the domain itself; set onRoot of the application")
            return link
        }
        link.set(.smartlink, value["secureShortURL"] ?? value["shortURL"], time)
        link.address.slug = value["path"]?.string ?? ""
        link.set(.password, value["password"], time)
        link.set(.hasPassword, value["hasPassword"], time)
        link.set(.url("web"), value["originalURL"], time)
        link.set(.url("ios"), value["iphoneURL"], time)
        link.set(.url("android"), value["androidURL"], time)
        link.set(.label(.title), value["title"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiresAt"], time)
        link.set(.onExpired, value["expiredURL"], time)
        link.set(.redirectStatus, value["redirectType"], time)
        link.set(.maxClicks, value["clicksLimit"], time)
        link.set(.importedClicks, value["clicks"] ?? value["totalClicks"], time)
        link.isArchived = value["archived"]?.bool == true
        link.setTags(of: value["tags"])
        if value["skipQS"]?.bool == true { link.draft.forwardQuery = false }
        link.set(.splitURL, value["splitURL"], time)
        link.set(.splitPercentage, value["splitPercent"], time)
        link.finishShortIO()
        if value["cloaking"]?.bool == true { link.notes.append("it hid its destination (cloaking); here it redirects") }
        link.noteUnused(
            value.object,
            used: [
                "path", "secureShortURL", "shortURL", "hasPassword", "password", "originalURL", "iphoneURL",
                "androidURL", "title", "createdAt", "expiresAt", "expiredURL", "redirectType", "clicksLimit", "clicks",
                "totalClicks", "archived", "tags", "skipQS", "splitURL", "splitPercent", "cloaking",
            ])
        return link
    }

    /// What is known once all columns, or members, are read.
    fileprivate mutating func finishShortIO() {
        addSplit()
        if let most = draft.maxClicks { limitClicks(to: most, made: importedClicks) }
    }
}

extension ServiceTable {
    package static let shortIO = ServiceTable(
        columns: [
            "originalurl": .url("web"), "longurl": .url("web"), "destination": .url("web"), "shorturl": .smartlink,
            "secureshorturl": .smartlink, "shortlink": .smartlink, "link": .smartlink, "path": .slug, "slug": .slug,
            "domain": .domain, "title": .label(.title), "tags": .tags, "createdat": .createdAt, "created": .createdAt,
            "creationdate": .createdAt, "iphoneurl": .url("ios"), "androidurl": .url("android"),
            "expiresat": .expiresAt, "expireat": .expiresAt, "expiredurl": .onExpired, "expireurl": .onExpired,
            "redirecttype": .redirectStatus, "skipqs": .ignoredQuery, "spliturl": .splitURL,
            "splitpercent": .splitPercentage, "clickslimit": .maxClicks, "clicks": .importedClicks,
            "totalclicks": .importedClicks, "archived": .archived, "password": .password, "haspassword": .hasPassword,
        ], required: [[.smartlink, .slug], [.url("web")]], finish: { $0.finishShortIO() })
}
