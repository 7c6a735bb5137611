import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

// Links as the services' interfaces answer them, one function a service. Fields that are not named here are not about where a
// link leads.

extension ForeignLink {
    func text(_ value: JSONValue?) -> String? {
        guard let text = value?.string, !text.isEmpty else { return nil }
        return text
    }

    mutating func setTags(of value: JSONValue?) {
        setTags((value?.array ?? []).compactMap { $0.string ?? $0["name"]?.string })
    }

    package static func bitly(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["link"] ?? value["id"], time)
        guard link.text(value["long_url"]) != nil else {
            link.refuse("it leads nowhere: long_url is missing")
            return link
        }
        link.set(.url("web"), value["long_url"], time)
        link.set(.label(.title), value["title"], time)
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
        link.set(.label(.title), value["title"], time)
        link.set(.createdAt, value["createdAt"], time)
        link.set(.expiresAt, value["expiredAt"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.setTags(of: value["tags"])
        if let forwards = value["forwardParameters"]?.bool { link.draft.forwardQuery = forwards }
        switch link.text(value["status"]) {
        case nil, "active": break
        case let status?:
            link.draft.disabled = true
            link.notes.append("it is disabled: its status was \(status.excerpt(40))")
        }
        link.noteUnused(
            value.object,
            used: [
                "shortUrl", "domainName", "slashtag", "destination", "title", "createdAt", "expiredAt", "clicks",
                "tags", "forwardParameters", "status",
            ])
        return link
    }

    package static func kutt(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["link"], time)
        link.set(.slug, value["address"], time)
        link.set(.domain, value["domain"], time)
        link.set(.password, value["password"], time)
        link.set(.url("web"), value["target"], time)
        link.set(.label(.title), value["description"], time)
        link.set(.createdAt, value["created_at"], time)
        link.set(.expiresAt, value["expire_in"], time)
        // Grouped by thousands in an administrator's list.
        let visits = value["visit_count"]?.string.map { JSONValue($0.filter { $0 != "," }) }
        link.set(.importedClicks, visits ?? value["visit_count"], time)
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
        link.set(.label(.title), value["title"], time)
        link.set(.createdAt, value["timestamp"], time)
        link.set(.importedClicks, value["clicks"], time)
        link.noteUnused(value.object, used: ["shorturl", "keyword", "url", "title", "timestamp", "clicks"])
        return link
    }
}
