import Testing
import WaymarkTestSupport

@testable import WaymarkAPI
@testable import WaymarkLinks

/// Parameters of Firebase Dynamic Links: each row of the guide's table, asked of the decision.
@Suite struct FirebaseSettingTests {
    /// Who follows the link.
    enum Question: Sendable {
        case visit(Visitor)
        /// The app, of a version.
        case app(Platform, String)
    }

    struct Setting: Sendable, CustomTestStringConvertible {
        let name: String
        let query: String
        let question: Question
        let answer: String

        var testDescription: String { "\(name) \(query)" }

        init(_ name: String, _ query: String, _ platform: Platform = .windows, to answer: String) {
            self.init(name, query, .visit(Visitor(platform: platform)), to: answer)
        }

        init(_ name: String, _ query: String, _ question: Question, to answer: String) {
            self.name = name
            self.query = query
            self.question = question
            self.answer = answer
        }
    }

    private static let page = "https://www.example.com/"
    private static let store = "https://apps.apple.com/app/id123456789"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.shop"
    private static let android = "apn=com.example.shop"
    private static let ios = "ibi=com.example.shop"
    private static let opened = "://google/link/?deep_link_id=https%3A%2F%2Fwww.example.com%2F"
    private static let button = "com.example.shop" + opened + "&match_type=unique"
    private static let intent = "https://www.example.com/ in com.example.shop"
    private static let preview = Question.visit(Visitor(platform: .web, bot: .preview))

    static let settings: [Setting] = [
        Setting("link", "", to: page), Setting("link", "", .iphone, to: page), Setting("link", "", .android, to: page),
        Setting("apn", android, .android, to: intent + " else " + play),
        Setting("apn", "apn=com.other", .android, to: page),
        Setting("afl", android + "&afl=$f", .android, to: intent + " else " + page + "f"),
        Setting("al", android + "&al=shop://a", .android, to: "shop://a in com.example.shop else " + play),
        Setting("amv", android + "&amv=7", .app(.android, "6"), to: "update to 7 at " + play),
        Setting("amv", android + "&amv=7", .app(.android, "7"), to: page),
        Setting("ibi", ios, .iphone, to: button + " else " + store),
        Setting("ibi", "ibi=com.other", .iphone, to: page),
        Setting("ius", ios + "&ius=shoppro", .iphone, to: "shoppro" + opened + "&match_type=unique else " + store),
        Setting("ius", ios + "&ius=other", .iphone, to: button + " else " + store),
        Setting("ifl", ios + "&ifl=$i", .iphone, to: button + " else " + page + "i"),
        Setting("ifl", ios + "&ifl=$i", .ipad, to: button + " else " + page + "i"),
        Setting(
            "ipbi", "ipbi=com.example.shop.pad", .ipad,
            to: "com.example.shop.pad" + opened + "&match_type=unique else " + store),
        Setting("ipbi", "ipbi=com.example.shop.pad", .iphone, to: page),
        Setting("ipfl", ios + "&ifl=$i&ipfl=$p", .ipad, to: button + " else " + page + "p"),
        Setting("ipfl", ios + "&ifl=$i&ipfl=$p", .iphone, to: button + " else " + page + "i"),
        Setting("isi", ios + "&isi=123456789", .iphone, to: button + " else " + store),
        Setting("isi", ios + "&isi=9", .iphone, to: button + " else " + store),
        Setting("imv", ios + "&imv=2.1", .app(.iphone, "2.0"), to: "update to 2.1 at " + store),
        Setting("imv", ios + "&imv=2.1", .app(.iphone, "2.1"), to: page),
        Setting("efr", ios + "&efr=1", .iphone, to: store),
        Setting("efr", ios + "&efr=1&ifl=$i", .iphone, to: page + "i"),
        Setting("ofl", android + "&ofl=$d", to: page + "d"), Setting("ofl", "ofl=$d", .iphone, to: page),
        Setting("st", "st=Title", preview, to: "Title, -, -"),
        Setting("sd", "sd=Text", preview, to: "-, Text, -"),
        Setting("si", "st=Title&si=$a.png", preview, to: "Title, -, " + page + "a.png"),
        Setting("si", "st=Title&si=https%3A%2F%2Fother.example%2Fa.png", preview, to: "Title, -, -"),
        Setting("utm_source", "utm_source=a%20b", to: page + "?utm_source=a%20b"),
        Setting("utm_medium", "utm_medium=a", to: page + "?utm_medium=a"),
        Setting("utm_campaign", "utm_campaign=a", to: page + "?utm_campaign=a"),
        Setting("utm_term", "utm_term=a", to: page + "?utm_term=a"),
        Setting("utm_content", "utm_content=a", to: page + "?utm_content=a"),
        Setting(
            "utm_source", ios + "&utm_source=a", .iphone,
            to: "com.example.shop" + opened + "&utm_source=a&match_type=unique else " + store),
        Setting("utm_source", android + "&utm_source=a", .app(.android, "1"), to: page + " utm_source=a"),
        Setting("gclid", "gclid=a", to: page),
        Setting("pt", ios + "&efr=1&pt=1", .iphone, to: store + "?pt=1"),
        Setting("ct", ios + "&efr=1&ct=2", .iphone, to: store + "?ct=2"),
        Setting("at", ios + "&efr=1&at=3", .iphone, to: store + "?at=3"),
        Setting("mt", ios + "&efr=1&mt=8", .iphone, to: store + "?mt=8"),
        Setting("d", "d=0", to: page),
        Setting(
            "_icp", "", .visit(Visitor(platform: .windows, query: "_icp=1&cid=4&color=red")), to: page + "?color=red"),
    ]

    @Test(arguments: settings) func parametersDecideAsBefore(setting: Setting) throws {
        let application = try Samples.firebaseApplication()
        let read = Samples.firebaseDraft("link=$&" + setting.query, of: application)
        let link = try Samples.link(read.draft, from: read.origin, of: application)
        #expect(Self.answer(link, application, setting.question) == setting.answer)
    }

    private static func answer(_ link: Link, _ application: Application, _ question: Question) -> String {
        switch question {
        case .app(let platform, let version):
            if let version = AppVersion(version),
                let update = link.requiredUpdate(from: version, on: platform, application: application)
            {
                return "update to \(update.minimumVersion.text) at \(update.url ?? "-")"
            }
            let deepLink = link.deepLink(application: application, platform: platform)
            return ([deepLink.url ?? "-"] + deepLink.queryParameters.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        case .visit(let visitor):
            switch link.resolve(application: application, visitor: visitor, now: Samples.now, clickID: nil) {
            case .redirect(let destination):
                guard let intent = IntentURL(destination.url) else { return destination.url }
                let package = destination.url.firstMatch(of: /;package=([^;]*);/)?.output.1 ?? "-"
                return "\(intent.appURL) in \(package) else \(Self.withoutReferrer(intent.fallback ?? "-"))"
            case .openApp(let opening): return "\(opening.open) else \(opening.fallback.url)"
            case .preview(let card, _):
                return "\(card.title ?? "-"), \(card.description ?? "-"), \(card.imageURL?.text ?? "-")"
            default: return "a page"
            }
        }
    }

    /// Play's URL has the deep link for the installation, too.
    private static func withoutReferrer(_ url: String) -> String {
        url.firstRange(of: "&referrer=").map { String(url[..<$0.lowerBound]) } ?? url
    }

    /// Only hosts of `destinations.allowedHosts`, `web.baseURL` and templates, as Firebase's list of URL patterns said.
    @Test(arguments: ["link=https%3A%2F%2Fother.example%2F", "link=$&ofl=https%3A%2F%2Fother.example%2F"])
    func allowedHostsTakeThePlaceOfPatterns(query: String) throws {
        let application = try Samples.firebaseApplication()
        #expect(Samples.firebaseDraft(query, of: application).problems.count == 1)
        #expect(Samples.firebaseDraft(query, of: application, onlyOwnHosts: false).problems.isEmpty)
    }

    /// Each row of the guide's table begins with names that are tested here; `d=1` is a page of the service's own.
    @Test func theGuideHasEveryParameter() throws {
        let names = try GuideTable.names(in: "from-firebase-dynamic-links.md", under: "Settings of the old service")
        #expect(Set(names) == Set(Self.settings.map(\.name)).union(["URL patterns"]))
        #expect(Set(names).isSuperset(of: FirebaseParameter.allCases.map(\.rawValue)))
    }
}
