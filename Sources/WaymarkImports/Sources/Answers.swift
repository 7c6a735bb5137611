package import WaymarkJSON
import WaymarkLinks

// Links as the services' interfaces answer them, one function a service. Fields that are not named here are not about where a
// link leads.

extension ForeignLink {
    fileprivate func text(_ value: JSONValue?) -> String? {
        guard let text = value?.string, !text.isEmpty else { return nil }
        return text
    }

    fileprivate mutating func setTags(of value: JSONValue?) {
        setTags((value?.array ?? []).compactMap { $0.string ?? $0["name"]?.string })
    }

    /// Beyond one more than a link may have rules are not kept: the row will be refused.
    mutating func addRule(_ url: String, _ condition: (inout RuleDraft.Condition) -> Void) {
        guard draft.rules.count <= Rule.limit else { return }
        var rule = RuleDraft()
        rule.url = url
        condition(&rule.when)
        draft.rules.append(rule)
    }

    package static func bitly(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["link"] ?? value["id"], time)
        guard link.text(value["long_url"]) != nil else {
            link.refuse("it leads nowhere: long_url is missing")
            return link
        }
        link.set(.url("web"), value["long_url"], time)
        link.set(.title, value["title"], time)
        link.set(.createdAt, value["created_at"], time)
        link.isArchived = value["archived"]?.bool == true
        link.setTags(of: value["tags"])
        for custom in value["custom_bitlinks"]?.array ?? [] {
            if let alias = custom.string.flatMap({ Address(url: $0) }) { link.add(alias: alias) }
        }
        if value["deeplinks"]?.array?.isEmpty == false { link.notes.append("its deeplinks were not taken over") }
        link.noteUnused(
            value.object,
            used: ["link", "id", "long_url", "title", "created_at", "archived", "tags", "custom_bitlinks", "deeplinks"])
        return link
    }

    package static func rebrandly(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["shortUrl"], time)
        link.set(.domain, value["domainName"], time)
        link.set(.slug, value["slashtag"], time)
        link.set(.url("web"), value["destination"], time)
        link.set(.title, value["title"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiredAt"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.setTags(of: value["tags"])
        link.noteUnused(
            value.object,
            used: [
                "shortUrl", "domainName", "slashtag", "destination", "title", "createdAt", "expiredAt", "clicks",
                "tags",
            ])
        return link
    }

    package static func shortIO(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        guard link.text(value["path"]) != nil else {
            link.refuse("it is the redirect of the domain itself; set onRoot of the application")
            return link
        }
        link.set(.smartlink, value["secureShortURL"] ?? value["shortURL"], time)
        link.address.slug = value["path"]?.string ?? ""
        if value["hasPassword"]?.bool == true || link.text(value["password"]) != nil {
            link.refusePassword()
        }
        link.set(.url("web"), value["originalURL"], time)
        link.set(.url("ios"), value["iphoneURL"], time)
        link.set(.url("android"), value["androidURL"], time)
        link.set(.title, value["title"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiresAt"], time)
        link.set(.maxClicks, value["clicksLimit"], time)
        link.set(.importedClicks, value["clicks"] ?? value["totalClicks"], time)
        link.isArchived = value["archived"]?.bool == true
        link.setTags(of: value["tags"])
        if value["skipQS"]?.bool == true { link.draft.forwardQuery = false }
        if let split = link.text(value["splitURL"]), let share = value["splitPercent"]?.integer,
            (1...99).contains(share)
        {
            link.addRule(split) { $0.percentage = share }
        }
        if value["cloaking"]?.bool == true { link.notes.append("it hid its destination (cloaking); here it redirects") }
        link.noteUnused(
            value.object,
            used: [
                "path", "secureShortURL", "shortURL", "hasPassword", "password", "originalURL", "iphoneURL",
                "androidURL", "title", "createdAt", "expiresAt", "clicksLimit", "clicks", "totalClicks", "archived",
                "tags", "skipQS", "splitURL", "splitPercent", "cloaking",
            ])
        return link
    }

    package static func dub(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        let key = link.text(value["key"]) ?? ""
        guard key != "_root", !key.isEmpty else {
            link.refuse("it is the redirect of the domain itself; set onRoot of the application")
            return link
        }
        link.address = Address(domain: value["domain"]?.string, slug: key)
        if link.text(value["password"]) != nil { link.refusePassword() }
        link.set(.url("web"), value["url"], time)
        link.set(.url("ios"), value["ios"], time)
        link.set(.url("android"), value["android"], time)
        link.set(.title, value["title"], time)
        link.set(.note, value["comments"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiresAt"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.isArchived = value["archived"]?.bool == true
        if let disabled = value["disabledAt"], !disabled.isNull { link.draft.disabled = true }
        link.setTags(of: value["tags"])
        if value["proxy"]?.bool == true {
            link.set(.social(.title), value["title"], time)
            link.set(.social(.description), value["description"], time)
            link.set(.social(.imageURL), value["image"], time)
        }
        for member in value["geo"]?.object?.members ?? [] {
            guard let url = member.value.string else { continue }
            link.addRule(url) { $0.country = [member.name] }
        }
        for variant in value["testVariants"]?.array ?? [] {
            guard let url = variant["url"]?.string, let share = variant["percentage"]?.integer,
                url != value["url"]?.string, (1...100).contains(share)
            else { continue }
            link.addRule(url) { $0.percentage = share }
        }
        let card: Set<String> = value["proxy"]?.bool == true ? ["image", "description"] : []
        link.noteUnused(
            value.object,
            used: card.union([
                "key", "domain", "shortLink", "password", "url", "ios", "android", "title", "comments", "createdAt",
                "expiresAt", "clicks", "archived", "disabledAt", "tags", "proxy", "geo", "testVariants",
            ]))
        return link
    }

    package static func kutt(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["link"], time)
        link.set(.slug, value["address"], time)
        link.set(.domain, value["domain"], time)
        link.set(.password, value["password"], time)
        link.set(.url("web"), value["target"], time)
        link.set(.title, value["description"], time)
        link.set(.createdAt, value["created_at"], time)
        link.set(.expiresAt, value["expire_in"], time)
        link.set(.importedClicks, value["visit_count"], time)
        if value["banned"]?.bool == true { link.draft.disabled = true }
        link.noteUnused(
            value.object,
            used: [
                "link", "address", "domain", "password", "target", "description", "created_at", "expire_in",
                "visit_count", "banned",
            ])
        return link
    }

    package static func yourls(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["shorturl"], time)
        link.set(.url("web"), value["url"], time)
        link.set(.title, value["title"], time)
        link.set(.createdAt, value["timestamp"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.noteUnused(value.object, used: ["shorturl", "keyword", "url", "title", "timestamp", "clicks"])
        return link
    }
}
