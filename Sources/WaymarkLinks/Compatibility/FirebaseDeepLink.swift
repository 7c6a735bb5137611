import WaymarkBytes

/// The URL that opens Firebase's SDK for iOS by a custom scheme.
enum FirebaseDeepLink {
    private static let marker = "://google/link/?deep_link_id="

    static func url(scheme: String, link: String) -> String {
        scheme + marker + PercentEncoding.encode(part: link)
    }

    /// What the SDK reads beside the link: the campaign, the app's oldest version, and that the match is unique.
    static func ending(_ content: LinkContent) -> String {
        var text = ""
        for (name, value) in content.campaign?.parameters ?? [] {
            text += "&" + name + "=" + PercentEncoding.encode(part: value)
        }
        if let version = content.minimumVersions?.ios { text += "&imv=" + PercentEncoding.encode(part: version.text) }
        return text + "&match_type=unique"
    }

    /// The link contained in such a URL.
    static func link(in url: String) -> String? {
        guard let range = url.firstRange(of: marker) else { return nil }
        let value = url[range.upperBound...].prefix { $0 != "&" && $0 != "#" }
        return String(decoding: PercentEncoding.decodeLeniently(value.utf8, plusIsSpace: false), as: UTF8.self)
    }
}

extension FirebaseParameters {
    /// The value that the app receives instead of a destination for browsers: the link rather than the URL that
    /// contains it, or the desktop page. Nil if the destination is the deep link itself.
    func link(for choice: DestinationChoice) -> String? {
        if choice.isWeb {
            guard choice.source == .link(.web), let desktop = self[.ofl].flatMap({ WebURL($0) }),
                choice.url == FirebaseLinkDraft.literal(desktop.text)
            else { return nil }
            return self[.link]
        }
        return FirebaseDeepLink.link(in: choice.url)
    }

    /// The app's page in the App Store with its campaign parameters; nil if there are none.
    func appStoreURL(id: String) -> String? {
        let names: [FirebaseParameter] = [.pt, .ct, .at, .mt]
        let pairs = names.compactMap { name in
            self[name].map { name.rawValue + "=" + PercentEncoding.encode(part: $0) }
        }
        return pairs.isEmpty ? nil : AppStore.appleURL(id: id, campaign: nil) + "?" + pairs.joined(separator: "&")
    }
}
