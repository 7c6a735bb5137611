import WaymarkAPI
import WaymarkBytes
internal import WaymarkJSON
import WaymarkLinks

/// A column of `waymark links export --format csv`, named as `--map` takes it.
struct LinkColumn: Sendable {
    let name: String
    private let text: @Sendable (JSONValue) -> String

    private init(_ name: String, _ text: @escaping @Sendable (JSONValue) -> String) {
        self.name = name
        self.text = text
    }

    func cell(_ link: JSONValue) -> String { SpreadsheetText.guarded(text(link)) }

    private static let platforms = ["web", "ios", "iphone", "ipad", "android", "macos", "windows", "linux"]

    static let all: [LinkColumn] =
        ["smartlink", "domain", "slug"].map { LinkColumn(member: $0) } + [LinkColumn("aliases", aliases)]
        + [LinkColumn(member: LinkLabel.title.text)]
        + platforms.flatMap { platform in
            [
                LinkColumn("urls.\(platform)") { link in
                    let entry = link["urls"]?[platform]
                    return entry?.string ?? entry?["link"]?.string ?? ""
                },
                LinkColumn("urls.\(platform).fallback") { $0["urls"]?[platform]?["fallback"]?.string ?? "" },
            ]
        }
        + [LinkColumn(member: "route"), LinkColumn(json: "routeParameters"), LinkColumn(json: "queryParameters")]
        + [LinkColumn("tags", tags)]
        + LinkLabel.all.filter { $0 != .title }.map { LinkColumn(member: $0.text) }
        + ["createdAt", "validFrom", "expiresAt"].map { LinkColumn(member: $0) }
        + [
            LinkColumn(member: "maxClicks"),
            LinkColumn("redeemLimit") { link in
                link["redeemLimit"]?.integer.map { $0 == 0 ? "" : String($0) } ?? ""
            },
            LinkColumn("importedClicks") { link in
                let clicks = ExportFormat.clickCount(of: link)
                return clicks == 0 ? "" : String(clicks)
            },
            LinkColumn("hasPassword") { $0["hasPassword"]?.bool == true ? "true" : "" },
            LinkColumn("disabled") { $0["disabled"]?.bool == true ? "true" : "" },
            LinkColumn("forwardQuery") { ExportFormat.ownSetting("forwardQuery", of: $0).map { "\($0)" } ?? "" },
            LinkColumn("queryOverride") { ExportFormat.ownSetting("queryOverride", of: $0).map { "\($0)" } ?? "" },
            LinkColumn(member: "redirectStatus"),
            LinkColumn(member: "onExpired"),
            LinkColumn(member: "clickDetail"),
        ]
        + ["source", "medium", "name", "term", "content"].map { LinkColumn(member: $0, of: "campaign") }
        + ["title", "description", "imageURL"].map { LinkColumn(member: $0, of: "social") }
        + ["ios", "android"].map { LinkColumn(member: $0, of: "minimumVersion") }
        + [LinkColumn(json: "rules"), LinkColumn(json: "firebase")]

    private init(member: String) {
        self.init(member) { Self.text(of: $0[member]) }
    }

    private init(member: String, of object: String) {
        self.init("\(object).\(member)") { Self.text(of: $0[object]?[member]) }
    }

    /// A member whose value is an object or an array, as JSON; empty for an empty one.
    private init(json member: String) {
        self.init(member) { link in
            guard let value = link[member], value.object?.isEmpty == false || value.array?.isEmpty == false else {
                return ""
            }
            return value.text()
        }
    }

    /// With their domain, because a slug may have segments.
    @Sendable private static func aliases(_ link: JSONValue) -> String {
        let aliases = (link["aliases"]?.array ?? []).compactMap(\.string)
        guard let domain = link["domain"]?.string.flatMap({ HostName($0) }), !aliases.isEmpty else { return "" }
        return JSONValue(
            aliases.compactMap { text in
                LinkAlias(text, of: domain).map {
                    JSONValue(LinkAlias($0.slug, on: $0.domain ?? domain).text(of: domain))
                }
            }
        ).text()
    }

    private static func text(of value: JSONValue?) -> String {
        switch value?.kind {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        default: ""
        }
    }

    /// Separated by commas; as JSON if a tag would not survive that.
    @Sendable private static func tags(_ link: JSONValue) -> String {
        let tags = (link["tags"]?.array ?? []).compactMap(\.string)
        let isPlain = tags.allSatisfy { tag in
            !tag.isEmpty && !tag.contains { ",|".contains($0) } && tag.first != " " && tag.last != " "
                && tag.first != "["
        }
        return isPlain ? tags.joined(separator: ",") : JSONValue(tags.map { JSONValue($0) }).text()
    }
}
