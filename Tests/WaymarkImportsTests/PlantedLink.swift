import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// A row of a service, the link that it has to become, and links that it must not become.
struct PlantedLink: Sendable, CustomTestStringConvertible {
    var service: ForeignService
    /// A file of the service, or what its API answers.
    var source: String
    /// In the form of `service` where that is Firebase's, else JSON Lines of Waymark's own.
    var right: String
    var wrong: [(name: String, stored: String)]

    var testDescription: String { service.rawValue }

    func rows() async throws -> [SourceRow] {
        guard source.hasPrefix("{") else { return try await service.links(in: [file(source)]).all() }
        let value = try JSONValue(parsing: Array(source.utf8))
        let time = ForeignTime()
        let link: ForeignLink
        switch service {
        case .bitly: link = .bitly(value, time)
        case .rebrandly: link = .rebrandly(value, time)
        case .shortio: link = .shortIO(value, time)
        case .dub: link = .dub(value, time)
        case .shlink:
            var found = ForeignLink.shlink(value["link"] ?? value, time)
            found.setShlinkRules(value)
            link = found
        default: link = .branch(value, time)
        }
        return [SourceRow(number: 1, link: link)]
    }

    static let all: [PlantedLink] = [
        firebase, branch, bitly, rebrandly, shortIO, dubFinishedTest, dubRunningTest, shlink, kutt, yourls,
        polr,
    ]

    private static let shop = "https://shop.example.com"
    private static let appStore = "https://apps.apple.com/app/id123456789"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.shop"

    private static func dynamicLink(
        _ link: String = "\(shop)/:id/1?x=1", package: String = "com.example.shop",
        desktop: String = "\(shop)/desk"
    ) -> String {
        "Short link,Deep link (link),Android package name (apn),iOS bundle ID (ibi),iOS custom scheme (ius),"
            + "iOS app store ID (isi),UTM source (utm_source),Desktop fallback link (ofl)\n"
            + "https://go.example.com/a,\(link),\(package),com.example.shop,shop,123456789,mail,\(desktop)\n"
    }

    private static let firebase = PlantedLink(
        service: .fdl, source: dynamicLink(), right: dynamicLink(),
        wrong: [
            ("the desktop's URL is missing", dynamicLink(desktop: "")),
            ("the deep link is cut", dynamicLink("\(shop)/:id")),
            ("Android's app is missing", dynamicLink(package: "")),
        ])

    private static func deepLink(_ path: String = "products/42", android: String = play) -> String {
        #"""
        {"slug": "b", "urls": {"web": "\#(shop)/d", "ios": {"link": "shop://\#(path)", "fallback": "\#(appStore)"},
        "android": {"link": "shop://\#(path)", "fallback": "\#(android)"}}}
        """#.replacing("\n", with: "")
    }

    private static let branch = PlantedLink(
        service: .branch,
        source: #"""
            {"data": {"url": "https://go.example.com/b", "$desktop_url": "\#(shop)/d", "$ios_url": "\#(appStore)",
            "$android_url": "\#(play)", "$deeplink_path": "products/42"}}
            """#,
        right: deepLink(),
        wrong: [
            ("phones get the desktop's URL", #"{"slug": "b", "urls": {"web": "\#(shop)/d"}}"#),
            ("the path in the app is cut", deepLink("products/4")),
            ("Android gets the App Store", deepLink(android: appStore)),
        ])

    private static func slugs(_ slugs: [String], to url: String) -> String {
        slugs.map { #"{"slug": "\#($0)", "urls": {"web": "\#(url)"}}"# }.joined(separator: "\n") + "\n"
    }

    private static let bitly = PlantedLink(
        service: .bitly,
        source: #"""
            {"link": "https://go.example.com/3x", "custom_bitlinks": ["https://go.example.com/summer"],
            "long_url": "\#(shop)/käse"}
            """#,
        right: slugs(["3x", "summer"], to: "\(shop)/k%C3%A4se"),
        wrong: [
            ("the custom back-half is missing", slugs(["3x"], to: "\(shop)/k%C3%A4se")),
            ("a letter is U+FFFD", slugs(["3x", "summer"], to: "\(shop)/k%EF%BF%BDse")),
            (
                "another domain's link has the slug",
                slugs(["3x", "summer"], to: "https://other.example.com/")
            ),
        ])

    private static func rebrandly(
        _ url: String = "\(shop)/1?utm_source=web", forwards: Bool = false, more: String = ""
    ) -> String {
        #"{"slug": "one", "urls": {"web": "\#(url)"}, "forwardQuery": \#(forwards)\#(more)}"#
    }

    private static let rebrandly = PlantedLink(
        service: .rebrandly,
        source: #"""
            {"shortUrl": "go.example.com/one", "slashtag": "one", "domainName": "go.example.com",
            "destination": "\#(shop)/1?utm_source=web", "forwardParameters": false, "status": "active"}
            """#,
        right: rebrandly(),
        wrong: [
            ("the visit's query is forwarded", rebrandly(forwards: true)),
            ("the destination's query is cut", rebrandly("\(shop)/1")),
            ("it is disabled", rebrandly(more: #", "disabled": true"#)),
        ])

    private static let notIOS = #""platform": ["android", "macos", "windows", "linux", "web"]"#

    private static func split(_ platform: String = "\(notIOS),", drops: Bool = true, more: String = "")
        -> String
    {
        #"""
        {"slug": "split", "urls": {"web": "\#(shop)/a", "ios": "\#(appStore)"}, "forwardQuery": \#(!drops)\#(more),
        "rules": [{"when": {\#(platform) "percentage": 50}, "to": "\#(shop)/b"}]}
        """#.replacing("\n", with: "")
    }

    private static let shortIO = PlantedLink(
        service: .shortio,
        source: #"""
            {"path": "split", "secureShortURL": "https://go.example.com/split", "originalURL": "\#(shop)/a",
            "iphoneURL": "\#(appStore)", "splitURL": "\#(shop)/b", "splitPercent": 50, "skipQS": true,
            "expiresAt": "2027-01-01T00:00:00.000Z"}
            """#,
        right: split(more: #", "expiresAt": "2027-01-01T00:00:00Z""#),
        wrong: [
            ("the split precedes the iPhone's URL", split("")),
            ("the visit's query is forwarded", split(drops: false)),
            ("it has expired", split(more: #", "expiresAt": "2026-01-01T00:00:00Z""#)),
        ])

    private static func tested(
        _ platform: String? = nil, ios: String? = appStore, overrides: Bool = true,
        variant: String = "\(shop)/b"
    ) -> String {
        let urls = #""web": "\#(shop)/a?utm_source=web""# + (ios.map { #", "ios": "\#($0)""# } ?? "")
        let rules = platform.map {
            #", "rules": [{"when": {\#($0) "percentage": 50}, "to": "\#(variant)"}]"#
        }
        return #"{"slug": "ab", "urls": {\#(urls)}, "queryOverride": \#(overrides)\#(rules ?? "")}"#
    }

    private static func dub(testEnd: String) -> String {
        #"""
        {"domain": "go.example.com", "key": "ab", "shortLink": "https://go.example.com/ab", "ios": "\#(appStore)",
        "url": "\#(shop)/a?utm_source=web", "testCompletedAt": "\#(testEnd)",
        "testVariants": [{"url": "\#(shop)/a?utm_source=web", "percentage": 50},
        {"url": "\#(shop)/b", "percentage": 50}]}
        """#
    }

    private static let dubFinishedTest = PlantedLink(
        service: .dub, source: dub(testEnd: "2025-02-01T00:00:00.000Z"), right: tested(),
        wrong: [
            ("a finished test goes on", tested("\(notIOS),")),
            ("the link's query wins", tested(overrides: false)),
        ])

    private static let dubRunningTest = PlantedLink(
        service: .dub, source: dub(testEnd: "2026-12-20T00:00:00.000Z"), right: tested("\(notIOS),"),
        wrong: [("the test precedes the iPhone's URL", tested(""))])

    private static let rules: [String] = [
        #"{"when": {"platform": ["ios"]}, "to": "\#(shop)/ios"}"#,
        #"{"when": {"device": ["phone", "tablet"]}, "to": "\#(shop)/mobile"}"#,
        #"{"when": {"query": {"coupon": ["x"]}}, "to": "\#(shop)/coupon"}"#,
        #"{"when": {"language": ["fr"]}, "to": "\#(shop)/fr"}"#,
    ]

    private static func ruled(_ order: [Int], before: String = "2020-01-01T00:00:00Z") -> String {
        let dated = #"{"when": {"before": "\#(before)"}, "to": "\#(shop)/before"}"#
        let list = (order.map { rules[$0] } + [dated]).joined(separator: ", ")
        return #"{"slug": "r", "urls": {"web": "\#(shop)/"}, "queryOverride": true, "rules": [\#(list)]}"#
    }

    private static let shlink = PlantedLink(
        service: .shlink,
        source: #"""
            {"link": {"shortCode": "r", "shortUrl": "https://go.example.com/r", "longUrl": "\#(shop)/",
            "domain": "go.example.com", "forwardQuery": true},
            "redirectRules": [
            {"longUrl": "\#(shop)/mobile", "priority": 2, "conditions": [{"type": "device", "matchValue": "mobile"}]},
            {"longUrl": "\#(shop)/ios", "priority": 1, "conditions": [{"type": "device", "matchValue": "ios"}]},
            {"longUrl": "\#(shop)/coupon", "priority": 3,
             "conditions": [{"type": "query-param", "matchKey": "coupon", "matchValue": "x"}]},
            {"longUrl": "\#(shop)/fr", "priority": 4, "conditions": [{"type": "language", "matchValue": "fr"}]},
            {"longUrl": "\#(shop)/before", "priority": 5,
             "conditions": [{"type": "before-date", "matchValue": "2020-01-01T00:00:00+00:00"}]}]}
            """#,
        right: ruled([0, 1, 2, 3]),
        wrong: [
            ("the rules are in another order", ruled([1, 0, 2, 3])),
            ("a rule of the past holds", ruled([0, 1, 2, 3], before: "2030-01-01T00:00:00Z")),
            ("the rule for a query is missing", ruled([0, 1, 3])),
        ])

    private static let kutt = PlantedLink(
        service: .kutt,
        source: """
            CREATE TABLE domains (id integer, address varchar(255));
            INSERT INTO domains VALUES (1,'go.example.com'),(2,'s.example.com');
            CREATE TABLE links (id integer, address varchar(255), domain_id integer, target varchar(2040), \
            expire_in varchar(30));
            INSERT INTO links VALUES (1,'abc',1,'\(shop)/go?a=1&b=2',NULL),(2,'abc',2,'\(shop)/s',NULL),\
            (3,'old',1,'\(shop)/old','2020-01-01 00:00:00');
            """,
        right: slugs(["abc"], to: "\(shop)/go?a=1&b=2"),
        wrong: [
            ("another domain's link has the slug", slugs(["abc"], to: "\(shop)/s")),
            ("the destination is cut", slugs(["abc"], to: "\(shop)/go?a=1")),
            (
                "an expired link goes on",
                slugs(["abc"], to: "\(shop)/go?a=1&b=2") + slugs(["old"], to: "\(shop)/old")
            ),
        ])

    private static let yourls = PlantedLink(
        service: .yourls,
        source: "keyword,url,title\nsale,\(shop)/über?x=1,Sale\nnews,\(shop)/news,News\n",
        right: slugs(["sale"], to: "\(shop)/%C3%BCber?x=1") + slugs(["news"], to: "\(shop)/news"),
        wrong: [
            (
                "a letter is in another encoding",
                slugs(["sale"], to: "\(shop)/%C3%83%C2%BCber?x=1") + slugs(["news"], to: "\(shop)/news")
            ),
            (
                "the links are exchanged",
                slugs(["news"], to: "\(shop)/über?x=1") + slugs(["sale"], to: "\(shop)/news")
            ),
            ("a link is missing", slugs(["sale"], to: "\(shop)/über?x=1")),
        ])

    private static let polr = PlantedLink(
        service: .polr,
        source: """
            short_url,long_url,secret_key,is_disabled
            plan,\(shop)/plan,k3y,0
            gone,\(shop)/gone,,1

            """,
        right: slugs(["plan/k3y"], to: "\(shop)/plan"),
        wrong: [
            ("the secret is missing", slugs(["plan"], to: "\(shop)/plan")),
            (
                "a disabled link goes on",
                slugs(["plan/k3y"], to: "\(shop)/plan") + slugs(["gone"], to: "\(shop)/gone")
            ),
            ("the destination is another", slugs(["plan/k3y"], to: "\(shop)/plans")),
        ])
}
