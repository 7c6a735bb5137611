import WaymarkJSON
import WaymarkLinks

extension SourceLink {
    /// Any table with columns named like members of a link, and links of Waymark itself: a URL for the
    /// platform, else for the web. A rule may lead to any of its destinations, and a route anywhere.
    static func table(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        let firebaseLink = row.value("firebase").flatMap(\.object).map { SourceValues($0) }
        var link = firebaseLink.map { firebase($0, time) } ?? SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink"], slug: ["slug"], domain: ["domain"], further: ["aliases"])
        if let forwards = row.flag("forwardQuery") {
            let wins: Bool? = row.flag("queryOverride") == true ? true : nil
            link.query = forwards ? .forwarded(visitorWins: wins) : .dropped
        }
        if row.text("password") != nil && row.flag("password") != false || row.flag("hasPassword") == true {
            link.closed = "the link has a password"
        }
        if row.flag("disabled") == true { link.closed = "the link is disabled" }
        link.start = row.moment(time, "validFrom")
        link.end = row.moment(time, "expiresAt")
        link.expiredURL = row.text("onExpired")
        for part in ["source", "medium", "name", "term", "content"] {
            guard let value = row.text("campaign.\(part)") else { continue }
            link.additions.updateValue(value, forKey: part == "name" ? "utm_campaign" : "utm_\(part)")
        }
        for (name, value) in row.parameters { link.additions.updateValue(value, forKey: name) }
        guard firebaseLink == nil else { return link }
        let isRoute = row.text("route") != nil || row.hasRouteParameters
        let rules = row.value("rules")?.array ?? []
        link.decide = { visit, _ in
            var answers: [ExpectedAnswer] = [isRoute ? .any : row.answer(on: visit.device)]
            for rule in rules.prefix(100) {
                if let url = rule["to"]?.string { answers.append(ExpectedAnswer(url)) }
                if let urls = rule["to"]?.object {
                    answers.append(SourceValues(["urls": JSONValue(urls)]).answer(on: visit.device))
                }
            }
            return answers
        }
        return link
    }
}

extension SourceValues {
    fileprivate func answer(on device: VisitDevice) -> ExpectedAnswer {
        for platform in device.lookupOrder {
            guard let url = text("urls.\(platform)", "urls.\(platform).link") else { continue }
            return ExpectedAnswer(
                url,
                fallback: text("urls.\(platform).fallback").flatMap { ExpectedAnswer.isWeb($0) ? $0 : nil })
        }
        return .any
    }

    /// What the link adds to each destination.
    fileprivate var parameters: [(String, String)] {
        let members = value("queryParameters")?.object?.members ?? []
        return members.compactMap { member in member.value.asText.map { (member.name, $0) } }
            + texts(withPrefix: "queryParameters.")
    }

    fileprivate var hasRouteParameters: Bool {
        value("routeParameters")?.object?.isEmpty == false || !texts(withPrefix: "routeParameters.").isEmpty
    }
}
