import WaymarkJSON
import WaymarkLinks

extension SourceLink {
    /// Branch: computers get `$desktop_url`, else `$fallback_url`. Phones get the app with the link's data;
    /// without it the URL of their system, else `$fallback_url`, else the store. What the dashboard sets for
    /// all links is not in a row.
    static func branch(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        let data = data(of: row)
        func text(_ names: String...) -> String? { data.text(of: names) ?? row.text(of: names) }
        var link = SourceLink()
        let addresses = data.addresses(short: ["url", "~referring_link"], slug: [], domain: [])
        link.addresses = addresses
        if addresses.isEmpty, let alias = text("alias", "$alias") { link.addresses = [Address(slug: alias)] }
        if addresses.isEmpty, link.addresses.isEmpty {
            link.addresses = row.addresses(
                short: ["smartlink", "url", "link", "branch link"], slug: ["slug", "alias"])
        }
        for (name, value) in [
            ("utm_source", text("~channel", "channel")), ("utm_medium", text("~feature", "feature")),
            ("utm_campaign", text("~campaign", "campaign")),
        ] {
            if let value { link.additions.updateValue(value, forKey: name) }
        }
        let everywhere = text("$fallback_url")
        let desktop = text("urls.web", "$desktop_url") ?? everywhere
        let web = data.flag("$web_only") == true ? desktop : nil
        let path = text("$deeplink_path")
        /// Without any URL the dashboard says what follows, which may be a page on the web.
        func phone(_ path: String?, _ url: String?) -> [ExpectedAnswer] {
            if let web { return [.web(url ?? web)] }
            if let path { return [ExpectedAnswer(path, fallback: url)] }
            guard let url else { return desktop == nil ? [.any] : [.appOrStore] }
            return [ExpectedAnswer(url), .app(.init(fallback: url))]
        }
        let ios = text("urls.ios", "$ios_url") ?? everywhere
        let apple = phone(text("$ios_deeplink_path") ?? path, ios)
        let pad = phone(text("$ios_deeplink_path") ?? path, text("urls.ipad", "$ipad_url") ?? ios)
        let android = phone(
            text("$android_deeplink_path") ?? path, text("urls.android", "$android_url") ?? everywhere)
        let countries = data.countryURLs
        link.decide = { visit, _ in
            let answers =
                switch visit.device {
                case .iphone: apple
                case .ipad: pad
                case .android: android
                case .desktop: desktop.map { [ExpectedAnswer($0)] } ?? [.any]
                }
            return answers + (countries[visit.device == .ipad ? .iphone : visit.device] ?? [])
        }
        return link
    }

    /// An object or, as SDKs send it, the text of one.
    private static func data(of row: SourceValues) -> SourceValues {
        if let object = row.value("data")?.object { return SourceValues(object) }
        if let text = row.text("data"), let object = JSONText.value(Array(text.utf8))?.object {
            return SourceValues(object)
        }
        return row
    }
}

extension SourceValues {
    /// `$ios_url_de` and so on: right for visitors from that country, which a visitor can't choose.
    fileprivate var countryURLs: [VisitDevice: [ExpectedAnswer]] {
        var answers: [VisitDevice: [ExpectedAnswer]] = [:]
        for (name, url) in texts {
            let start = name.dropLast(2)
            let devices: [VisitDevice] =
                switch start {
                case "$ios_url_": [.iphone]
                case "$android_url_": [.android]
                case "$fallback_url_": [.iphone, .android, .desktop]
                default: []
                }
            for device in devices { answers[device, default: []].append(ExpectedAnswer(url)) }
        }
        return answers
    }
}
