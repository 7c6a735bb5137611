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
        let web = text("$desktop_url", "$fallback_url", "$canonical_url")
        if let web {
            link.set(.url("web"), web, time)
        } else if text("$ios_url", "$android_url") == nil {
            link.notes.append("it has no $desktop_url or $fallback_url; web.baseURL of the application takes its place")
        }
        link.setBranchPlatforms(text, web)
        link.setBranchCountries(data)
        link.set(.social(.title), text("$og_title", "$twitter_title") ?? "", time)
        link.set(.social(.description), text("$og_description", "$twitter_description") ?? "", time)
        link.set(.social(.imageURL), text("$og_image_url", "$twitter_image_url") ?? "", time)
        link.set(.campaign(.source), text("~channel", "channel") ?? "", time)
        link.set(.campaign(.medium), text("~feature", "feature") ?? "", time)
        link.set(.campaign(.name), text("~campaign", "campaign") ?? "", time)
        link.set(.title, text("$marketing_title") ?? "", time)
        let tags = data["~tags"] ?? value["tags"] ?? data["tags"]
        link.setTags((tags?.array ?? []).compactMap(\.string))
        if let stage = text("~stage", "stage") { link.setTags([stage]) }
        link.set(.createdAt, data["~creation_time"] ?? value["creation_time"], time)
        let isOnce = data["$one_time_use"] ?? value["$one_time_use"]
        if isOnce?.bool == true || isOnce?.string == "true" { link.draft.maxClicks = 1 }
        for member in data.members where !member.name.isBranchs { link.metadata[member.name] = member.value }
        let known = branchKeys.union(data.members.lazy.map(\.name).filter { !$0.isBranchs || $0.isForCountry })
        link.noteUnused(data, used: known)
        if value["data"] != nil { link.noteUnused(value.object, used: known) }
        return link
    }

    /// Those that are read, if only where another one is missing.
    private static let branchKeys: Set<String> = [
        "data", "url", "+url", "~referring_link", "alias", "$alias", "$desktop_url", "$fallback_url", "$canonical_url",
        "$deeplink_path", "$ios_url", "$ios_deeplink_path", "$android_url", "$android_deeplink_path", "$ipad_url",
        "$og_title", "$twitter_title", "$og_description", "$twitter_description", "$og_image_url",
        "$twitter_image_url", "~channel", "channel", "~feature", "feature", "~campaign", "campaign",
        "$marketing_title", "~tags", "tags", "~stage", "stage", "~creation_time", "creation_time", "$one_time_use",
    ]

    private mutating func setBranchPlatforms(_ text: (String...) -> String?, _ web: String?) {
        let common = text("$deeplink_path")
        for (platform, url, path) in [
            ("ios", text("$ios_url"), text("$ios_deeplink_path") ?? common),
            ("android", text("$android_url"), text("$android_deeplink_path") ?? common),
        ] {
            if let path {
                appPaths[platform] = path
                if let url { draft.urls[platform] = URLEntryDraft(link: "", fallback: url) }
            } else if let url {
                draft.urls[platform] = URLEntryDraft(link: url)
            }
        }
        if let url = text("$ipad_url") {
            draft.urls["ipad"] = URLEntryDraft(link: appPaths["ios"] == nil ? url : "", fallback: url)
            if appPaths["ios"] == nil { draft.urls["ipad"]?.fallback = nil }
            appPaths["ipad"] = appPaths["ios"]
        }
    }

    /// `$ios_url_de` and so on: for visitors of one country.
    private mutating func setBranchCountries(_ data: JSONObject) {
        for (prefix, platform) in [
            ("$ios_url_", "ios"), ("$android_url_", "android"), ("$fallback_url_", nil as String?),
        ] {
            for member in data.members where member.name.hasPrefix(prefix) {
                let country = member.name.dropFirst(prefix.count)
                guard country.utf8.count == 2, let url = member.value.string else { continue }
                addRule(url) { condition in
                    condition.country = [country.uppercased()]
                    condition.platform = platform.map { [$0] }
                }
            }
        }
    }
}

extension String {
    /// Whether it is a key such as `$ios_url_de`.
    fileprivate var isForCountry: Bool {
        ["$ios_url_", "$android_url_", "$fallback_url_"].contains { hasPrefix($0) && utf8.count == $0.utf8.count + 2 }
    }

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
