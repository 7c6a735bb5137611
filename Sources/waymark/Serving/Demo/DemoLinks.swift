import WaymarkAPI
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkStores

/// The made-up applications and links of a demonstration.
struct DemoLinks {
    private struct Row {
        let application: String
        let slug: String
        let title: String
        let route: String
        let tags: [String]
        let campaign: String?
        /// Share of all clicks, in relation to the others.
        let weight: Int

        init(
            _ application: String, _ slug: String, _ title: String, _ route: String, _ tags: [String],
            _ campaign: String?, _ weight: Int
        ) {
            self.application = application
            self.slug = slug
            self.title = title
            self.route = route
            self.tags = tags
            self.campaign = campaign
            self.weight = weight
        }
    }

    private static let rows = [
        Row("shop", "autumn", "Autumn sale", "collections/autumn", ["campaign"], "autumn-sale", 90),
        Row("shop", "boots", "Winter boots", "products/4711", ["campaign", "shoes"], "autumn-sale", 55),
        Row("shop", "newsletter", "Newsletter, October", "collections/new", ["mail"], "newsletter", 42),
        Row("shop", "jacket", "Rain jacket", "products/2042", ["jackets"], nil, 30),
        Row("shop", "gift", "Gift finder", "collections/gifts", ["campaign"], "gifts", 24),
        Row("shop", "app", "Get the app", "collections/app", ["poster"], "store-poster", 18),
        Row("shop", "returns", "How to return an order", "help/returns", ["service"], nil, 12),
        Row("shop", "scarf", "Merino scarf", "products/3307", ["accessories"], "influencer-mia", 34),
        Row("shop", "sneakers", "Sneakers", "products/1180", ["shoes"], "influencer-ben", 26),
        Row("shop", "spring", "Spring collection", "collections/spring", ["archive"], "spring", 3),
        Row("cafe", "menu", "Menu", "pages/menu", ["table"], "table-card", 40),
        Row("cafe", "reserve", "Reserve a table", "pages/reserve", ["table"], nil, 28),
        Row("cafe", "brunch", "Sunday brunch", "pages/brunch", ["poster"], "brunch", 22),
        Row("cafe", "beans", "Beans of the month", "pages/beans", ["mail"], "newsletter", 11),
        Row("cafe", "jobs", "Work with us", "pages/jobs", [], nil, 5),
    ]

    /// - Parameter port: where the demonstration listens, so that the links that it shows work; nil or 0 if it isn't known yet.
    /// - Throws: `CommandFailure`, which would be a programming error.
    static func applications(port: UInt16?) throws -> [ApplicationDefinition] {
        let suffix = port.flatMap { $0 == 0 ? nil : ":\($0)" } ?? ""
        switch ApplicationsFile.read(Array(document(baseURL: "http://localhost\(suffix)").utf8)) {
        case .definitions(let definitions): return definitions
        case .problems(let problems): throw CommandFailure.failed(problems.joined(separator: "; "))
        }
    }

    /// With the weight of each, in the same order.
    static func links(createdAt: Timestamp) -> [(link: NewLink, weight: Int)] {
        rows.enumerated().compactMap { index, row in
            guard let application = ApplicationID(row.application), let slug = Slug(row.slug),
                let domain = HostName(row.application == "shop" ? "localhost" : "cafe.localhost"),
                let route = Route(row.route)
            else { return nil }
            var content = LinkContent(route: route)
            content.title = row.title
            content.tags = row.tags
            content.campaign = row.campaign.map {
                CampaignRequest(
                    source: row.tags.first ?? "web", medium: "link", name: $0, term: nil, content: nil)
            }
            let link = NewLink(
                application: application, domain: domain, slug: slug, content: content, metadata: nil,
                createdAt: createdAt.advanced(byMilliseconds: Int64(index) * 3_600_000))
            return (link, row.weight)
        }
    }

    private static func document(baseURL: String) -> String {
        """
        [{"id": "shop", "name": "Northwind Shop", "domains": ["localhost"], "baseURL": "\(baseURL)",
          "ios": {"appIDs": ["ABCDE12345.example.northwind"], "urlScheme": "northwind", "appStoreID": "123456789"},
          "android": {"package": "example.northwind", "urlScheme": "northwind"},
          "web": {"baseURL": "https://shop.example.com"}},
         {"id": "cafe", "name": "Café Meridian", "domains": ["cafe.localhost"], "baseURL": "\(baseURL)",
          "web": {"baseURL": "https://cafe.example.com"}}]
        """
    }
}
