import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

extension ForeignLink {
    package static func dub(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        let key = link.text(value["key"]) ?? ""
        guard key != "_root", !key.isEmpty else {
            link.refuse("it is the redirect of the domain itself; set onRoot of the application")
            return link
        }
        link.address = Address(domain: value["domain"]?.string, slug: key)
        link.set(.password, value["password"], time)
        link.set(.url("web"), value["url"], time)
        link.set(.url("ios"), value["ios"], time)
        link.set(.url("android"), value["android"], time)
        link.set(.label(.title), value["title"], time)
        link.set(.label(.note), value["comments"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiresAt"], time)
        link.set(.onExpired, value["expiredUrl"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.isArchived = value["archived"]?.bool == true
        if let disabled = value["disabledAt"], !disabled.isNull { link.draft.disabled = true }
        link.setTags(of: value["tags"])
        if value["proxy"]?.bool == true {
            link.set(.social(.title), value["title"], time)
            link.set(.social(.description), value["description"], time)
            link.set(.social(.imageURL), value["image"], time)
        }
        if value["rewrite"]?.bool == true { link.notes.append("it hid its destination (rewrite); here it redirects") }
        link.setDubRules(value, time)
        link.finishDub()
        link.noteUnused(value.object, used: usedByDub(value))
        return link
    }

    private static func usedByDub(_ value: JSONValue) -> Set<String> {
        var used: Set<String> = [
            "key", "domain", "shortLink", "password", "url", "ios", "android", "title", "comments", "createdAt",
            "expiresAt", "expiredUrl", "clicks", "archived", "disabledAt", "tags", "proxy", "rewrite", "geo",
            "testVariants", "testStartedAt", "testCompletedAt",
        ]
        if value["proxy"]?.bool == true { used.formUnion(["image", "description"]) }
        // These are in the URL, too.
        for name in ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]
        where value["url"]?.string?.contains(name + "=") == true {
            used.insert(name)
        }
        return used
    }

    /// Dub looks at the platform first, then at the country, and tests only replace `url` until they end.
    private mutating func setDubRules(_ value: JSONValue, _ time: ForeignTime) {
        let platforms = otherPlatforms
        var countries: [(url: String, codes: [String])] = []
        for member in value["geo"]?.object?.members ?? [] {
            guard let url = member.value.string else { continue }
            if let index = countries.firstIndex(where: { $0.url == url }) {
                countries[index].codes.append(member.name)
            } else if countries.count <= Rule.limit {
                countries.append((url, [member.name]))
            }
        }
        for (url, codes) in countries {
            addRule(url) { condition in
                condition.platform = platforms
                condition.country = codes
            }
        }
        // Without an end, or with one variant, Dub makes no test.
        let variants = value["testVariants"]?.array ?? []
        guard variants.count > 1, let end = text(value["testCompletedAt"]).flatMap({ time.timestamp($0)?.rfc3339 })
        else { return }
        for variant in variants {
            guard let url = variant["url"]?.string, let share = variant["percentage"]?.integer,
                url != value["url"]?.string, (1...100).contains(share)
            else { continue }
            addRule(url) { condition in
                condition.platform = platforms
                condition.percentage = share
                condition.before = end
            }
        }
    }

    /// A parameter of the visit replaces that of the URL.
    fileprivate mutating func finishDub() { draft.queryOverride = true }
}

extension ServiceTable {
    package static let dub = ServiceTable(
        columns: [
            "shortlink": .smartlink, "link": .smartlink, "domain": .domain, "key": .slug, "slug": .slug,
            "destinationurl": .url("web"), "url": .url("web"), "title": .label(.title), "clicks": .importedClicks,
            "createdat": .createdAt, "tags": .listedTags, "archived": .archived, "comments": .label(.note),
            "expiresat": .expiresAt, "expiredurl": .onExpired, "ios": .url("ios"), "android": .url("android"),
            "password": .password,
        ], required: [[.smartlink, .slug], [.url("web")]], finish: { $0.finishDub() })
}
