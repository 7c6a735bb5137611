import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

extension ForeignLink {
    package static func shlink(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        link.set(.smartlink, value["shortUrl"], time)
        link.set(.slug, value["shortCode"], time)
        link.set(.domain, value["domain"], time)
        link.set(.url("web"), value["longUrl"], time)
        link.set(.label(.title), value["title"], time)
        link.set(.createdAt, value["dateCreated"], time)
        link.setTags((value["tags"]?.array ?? []).compactMap(\.string))
        if let forwards = value["forwardQuery"]?.bool { link.draft.forwardQuery = forwards }
        // A parameter of the visit replaces that of the long URL.
        link.draft.queryOverride = true
        let visits = value["visitsSummary"]
        link.set(.importedClicks, visits?["nonBots"] ?? visits?["total"] ?? value["visitsCount"], time)
        link.set(.validFrom, value["meta"]?["validSince"], time)
        link.set(.expiresAt, value["meta"]?["validUntil"], time)
        if let most = value["meta"]?["maxVisits"]?.integer {
            link.limitClicks(to: most, made: visits?["total"]?.integer ?? link.importedClicks)
        }
        link.noteUnused(
            value.object,
            used: [
                "shortUrl", "shortCode", "domain", "longUrl", "title", "dateCreated", "tags", "forwardQuery",
                "visitsSummary", "visitsCount", "meta", "hasRedirectRules",
            ])
        return link
    }

    /// What `GET …/redirect-rules` answers, in the order of their priority.
    package mutating func setShlinkRules(_ value: JSONValue) {
        values?.add("redirectRules", value["redirectRules"])
        let rules = (value["redirectRules"]?.array ?? []).sorted {
            ($0["priority"]?.integer ?? 0) < ($1["priority"]?.integer ?? 0)
        }
        for (index, rule) in rules.enumerated() {
            guard let url = rule["longUrl"]?.string else { continue }
            var condition = RuleRequest.Condition()
            let unknown = (rule["conditions"]?.array ?? []).compactMap { condition.takeShlink($0) }
            guard unknown.isEmpty else {
                notes.append(
                    "rule \(index + 1) was left out: its condition \(unknown.joined(separator: ", ").excerpt(200)) is not known here"
                )
                continue
            }
            addRule(url) { $0 = condition }
        }
    }
}

extension RuleRequest.Condition {
    /// - Returns: what can't be said here; nil where all was.
    fileprivate mutating func takeShlink(_ value: JSONValue) -> String? {
        let type = value["type"]?.string ?? ""
        let text = value["matchValue"]?.string ?? ""
        let key = value["matchKey"]?.string ?? ""
        func set(_ values: inout [String]?, _ new: [String]) -> String? {
            // All conditions must hold, and one visit has one value.
            guard values == nil else { return "\(type) twice" }
            values = new
            return nil
        }
        func setQuery(_ values: [String]?) -> String? {
            var parameters = query ?? [:]
            guard parameters[key] == nil else { return "\(type) twice" }
            parameters.updateValue(values, forKey: key)
            query = parameters
            return nil
        }
        switch type {
        case "device":
            switch text {
            case "android", "ios", "windows", "macos", "linux": return set(&platform, [text])
            case "mobile": return set(&device, ["phone", "tablet"])
            case "desktop": return set(&device, ["desktop"])
            default: return "device \(text)"
            }
        // As `Accept-Language` has it.
        case "language": return set(&language, [String(text.map { $0 == "_" ? "-" : $0 })])
        case "browser":
            guard VisitorClass.Browser(rawValue: text) != nil else { return "browser \(text)" }
            return set(&browser, [text])
        case "geolocation-country-code": return set(&country, [text])
        case "query-param": return setQuery([text])
        case "any-value-query-param": return setQuery(nil)
        // `?name` and `?name=` are the same in PHP.
        case "valueless-query-param": return setQuery([""])
        case "after-date":
            guard after == nil else { return "\(type) twice" }
            after = ForeignTime().timestamp(text)?.rfc3339
            return after == nil ? "\(type) \(text)" : nil
        case "before-date":
            guard before == nil else { return "\(type) twice" }
            before = ForeignTime().timestamp(text)?.rfc3339
            return before == nil ? "\(type) \(text)" : nil
        default: return type
        }
    }
}
