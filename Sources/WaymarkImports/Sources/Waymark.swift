import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

extension ForeignLink {
    private static let members = LinkRequest.members.members.filter {
        !$0.traits.contains(.isFixed) && $0.name != "tags"
    }

    /// What a column of a table can hold too, and is read as there: times in any form, numbers as text.
    private static let columns = (members.filter(\.isScalar).map(\.name) + ["createdAt"]).compactMap { name in
        ImportField(name).map { (name: name, field: $0) }
    }

    private static let parts = members.filter { !$0.isScalar }.map(\.name)

    private static let known = Set(LinkResponse.members.names + ["metadata", "password"])

    /// A link as Waymark's interface answers it, and `waymark links export --format jsonl` writes it.
    package static func waymark(_ value: JSONValue, _ time: ForeignTime) -> ForeignLink {
        var link = ForeignLink()
        var parts = JSONObject()
        for name in Self.parts { parts[name] = value[name] }
        let (request, problems) = LinkRequest.attempt(JSONDocument(root: JSONValue(parts)))
        link.draft = request ?? LinkRequest()
        for problem in problems.prefix(10) { link.refuse("\(problem.field) \(problem.problem)") }
        for (name, field) in Self.columns {
            link.set(field, value[name], time)
            if let value = value[name], value.array != nil || value.object != nil {
                link.refuse("\(name) must not be \(value.noun)")
            }
        }
        link.setTags((value["tags"]?.array ?? []).compactMap(\.string))
        link.address = Address(domain: value["domain"]?.string, slug: value["slug"]?.string ?? "")
        link.draft.forwardQuery = setting("forwardQuery", of: value)
        link.draft.queryOverride = setting("queryOverride", of: value)
        link.settings = settingsInEffect(value)
        if link.draft.redeemLimit == 0 { link.draft.redeemLimit = nil }
        if link.draft.disabled == false { link.draft.disabled = nil }
        link.set(.hasPassword, value["hasPassword"], time)
        link.setMember(.firebase, value["firebase"])
        for alias in value["aliases"]?.array ?? [] {
            guard let text = alias.string else { continue }
            let alias = link.address.domain.flatMap { HostName($0) }.flatMap { LinkAlias(text, of: $0) }
            link.add(
                alias: Address(
                    domain: alias?.domain?.text ?? link.address.domain, slug: alias?.slug.text ?? text))
        }
        // What was counted there is a starting number here.
        let (clicks, overflow) = (value["clicks"]?.integer ?? 0).addingReportingOverflow(
            value["importedClicks"]?.integer ?? 0)
        if overflow {
            link.refuse("its clicks and importedClicks are together more than can be counted")
        } else if clicks > 0 {
            link.importedClicks = clicks
        }
        link.noteUnused(value.object, used: known)
        if value["hasMetadata"]?.bool == true { link.notes.append("its metadata is in no export") }
        return link
    }

    /// A setting that the link has itself; nil where it is the application's. Exports have no others, and no version.
    private static func setting(_ name: String, of value: JSONValue) -> Bool? {
        value["version"] == nil ? value[name]?.bool : ExportFormat.ownSetting(name, of: value)
    }

    /// What held for a link of which nothing says whether it is its own: servers before 0.2.0 don't, and others leave
    /// `ownSettings` out where there is none.
    private static func settingsInEffect(_ value: JSONValue) -> SettingsInEffect? {
        guard value["version"] != nil, value["ownSettings"] == nil, let forwards = value["forwardQuery"]?.bool else {
            return nil
        }
        return SettingsInEffect(forwardQuery: forwards, queryOverride: value["queryOverride"]?.bool ?? false)
    }

    /// Makes settings that held at the source the link's own where the application has others, so that it leads where it led.
    func keepSettings(_ draft: inout LinkRequest, _ application: Application, _ notes: inout [String]) {
        guard let settings else { return }
        func keep(_ name: String, _ held: Bool, _ here: Bool) -> Bool? {
            guard held != here else { return nil }
            notes.append("\(name) is \(held) for this link, as it was there: the application's is \(here)")
            return held
        }
        draft.forwardQuery = keep("forwardQuery", settings.forwardQuery, application.forwardQuery)
        draft.queryOverride = keep("queryOverride", settings.queryOverride, application.queryOverride)
    }

    mutating func setMember(_ member: ImportField.JSONMember, _ value: JSONValue?) {
        guard let value else { return }
        switch member {
        case .routeParameters: draft.routeParameters = Self.texts(value)
        case .queryParameters: draft.queryParameters = Self.texts(value)
        case .rules:
            // One more than a link may have, so that the row is refused.
            for (index, value) in (value.array ?? []).prefix(Rule.limit + 1).enumerated() {
                let (rule, problems) = RuleRequest.attempt(value)
                if let rule, problems.isEmpty {
                    draft.rules.append(rule)
                } else {
                    let reasons = problems.prefix(10).map { problem in
                        "rules[\(index)]\(problem.field == "body" ? "" : "." + problem.field) \(problem.problem)"
                    }
                    refuse(reasons.joined(separator: "; "))
                }
            }
        case .firebase:
            for (name, text) in Self.texts(value) {
                guard let parameter = FirebaseParameter(rawValue: name) else { continue }
                storedFirebase = storedFirebase ?? FirebaseParameters()
                storedFirebase?[parameter] = text
            }
        }
    }

    private static func texts(_ value: JSONValue?) -> [String: String] {
        var texts: [String: String] = [:]
        for member in value?.object?.members ?? [] {
            texts[member.name] = member.value.string ?? member.value.number?.text
        }
        return texts
    }

}
