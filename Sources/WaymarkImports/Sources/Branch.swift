import WaymarkAPI
package import WaymarkJSON
import WaymarkLinks

extension ForeignLink {
    /// What `GET /v1/url` answers, or one line of a file of such answers.
    ///
    /// - Parameter url: the link's own URL, which answers don't have to repeat.
    package static func branch(_ value: JSONValue, _ time: ForeignTime, url: String? = nil) -> ForeignLink {
        var link = ForeignLink()
        // An object or, as SDKs send it, the text of one.
        let written = value["data"]?.string.flatMap { JSONText.value(Array($0.utf8)) }
        let data = (written ?? value["data"])?.object ?? value.object ?? JSONObject()
        func text(_ names: String...) -> String? {
            for name in names {
                if let text = (data[name] ?? value[name])?.string, !text.isEmpty { return text }
            }
            return nil
        }
        if let url = url ?? text("url", "~referring_link") { link.setAddress(url) }
        if link.address.slug.isEmpty {
            guard let alias = text("alias", "$alias") else {
                link.refuse("it has neither a url nor an alias")
                return link
            }
            link.address.slug = alias
        }
        link.branch = [:]
        for key in BranchLinkDraft.keys.union(data.members.lazy.map(\.name).filter(BranchLinkDraft.isForCountry)) {
            link.branch?[key] = (data[key] ?? value[key]).flatMap(Self.branchText)
        }
        link.set(.label(.title), text("$marketing_title") ?? "", time)
        let tags = data["~tags"] ?? value["tags"] ?? data["tags"]
        link.setTags((tags?.array ?? []).compactMap(\.string))
        if let stage = text("~stage", "stage") { link.setTags([stage]) }
        link.set(.createdAt, data["~creation_time"] ?? value["creation_time"], time)
        // One opening of the app gets the data. The redirect goes on.
        let once = (data["$one_time_use"] ?? value["$one_time_use"]).flatMap(Self.branchText)
        if once == "true" || once == "1" || value["type"].flatMap(Self.branchText) == "1" { link.draft.redeemLimit = 1 }
        for member in data.members where !member.name.isBranchs { link.metadata[member.name] = member.value }
        let known = branchKeys.union(
            data.members.lazy.map(\.name).filter { !$0.isBranchs || BranchLinkDraft.isForCountry($0) })
        link.noteUnused(data, used: known)
        if value["data"] != nil { link.noteUnused(value.object, used: known) }
        return link
    }

    /// Those that are read, if only where another one is missing.
    private static let branchKeys = BranchLinkDraft.keys.union([
        "data", "url", "+url", "~referring_link", "alias", "$alias", "$marketing_title", "~tags", "tags", "~stage",
        "stage",
        "~creation_time", "creation_time", "$one_time_use", "type",
    ])

    /// A text, a number or a flag.
    private static func branchText(_ value: JSONValue) -> String? {
        switch value.kind {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension String {
    /// Whether a key of a link's data has a meaning for Branch itself. All others are the app's.
    fileprivate var isBranchs: Bool {
        guard let first = utf8.first else { return true }
        return "$~+".utf8.contains(first)
            || [
                "url", "alias", "channel", "feature", "campaign", "stage", "tags", "type", "identity", "data",
                "duration",
                "creation_time",
            ].contains(self)
    }
}
