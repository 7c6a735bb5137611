import FoundationEssentials
import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

/// `docs/guide/decisions-table.md` says what the code does: this test writes it (`Scripts/decisions-table`), and every run
/// compares the two.
@Suite struct DecisionTableTests {
    private static let path =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/docs/guide/decisions-table.md"

    private struct Example: Sendable {
        let name: String
        let draft: LinkRequest
        var application: @Sendable (inout ApplicationRequest) -> Void = { _ in }
    }

    private static func urls(_ entries: [String: (String, String?)]) -> LinkRequest {
        Samples.draft(urls: entries.mapValues { URLEntryRequest($0.0, fallback: $0.1) })
    }

    private static let web = ("https://web.example/", nil as String?)

    private static let examples: [Example] = [
        Example(name: "a web URL alone", draft: urls(["web": web])),
        Example(
            name: "web URLs for iOS, Android and all others",
            draft: urls([
                "web": web, "ios": ("https://ios.example/", nil), "android": ("https://android.example/", nil),
            ])),
        Example(
            name: "an app's URL for `ios` and `android`, no fallback named",
            draft: urls(["web": web, "ios": ("shop://x", nil), "android": ("shop://x", nil)])),
        Example(
            name: "the same with the fallback `web`",
            draft: urls(["web": web, "ios": ("shop://x", "web"), "android": ("shop://x", "web")])),
        Example(
            name: "the same with a URL as the fallback",
            draft: urls([
                "web": web, "ios": ("shop://x", "https://f.example/"), "android": ("shop://x", "https://f.example/"),
            ])),
        Example(
            name: "an app's URL, and neither store id nor package",
            draft: urls(["web": web, "ios": ("shop://x", nil), "android": ("shop://x", nil)]),
            application: {
                $0.ios?.appStoreID = nil
                $0.android?.package = nil
            }),
        Example(
            name: "an app's URL, and an `openHost`",
            draft: urls(["web": web, "ios": ("shop://x", nil)]), application: { $0.openHost = "open.example.com" }),
        Example(
            name: "an app's URL for iPads only",
            draft: urls(["web": web, "ipad": ("shop://x", nil)]),
            application: {
                $0.ios?.urlScheme = "shop"
                $0.templates = []
            }),
        Example(name: "a URL for Macs", draft: urls(["web": web, "macos": ("https://mac.example/", nil)])),
        Example(
            name: "an app's URL, in an application without a web address",
            draft: urls(["ios": ("shop://x", nil), "android": ("shop://x", nil)]),
            application: {
                $0.webBaseURL = nil
                $0.templates = []
            }),
        Example(name: "a template's route", draft: Samples.productDraft()),
        Example(
            name: "a route that no template has, and a web URL",
            draft: {
                var draft = urls(["web": web])
                draft.route = "offers/:name"
                draft.routeParameters = ["name": "spring"]
                return draft
            }()),
        Example(
            name: "a web URL and a social card",
            draft: {
                var draft = urls(["web": web])
                draft.social = SocialRequest(title: "Hello")
                return draft
            }()),
        Example(
            name: "disabled",
            draft: {
                var draft = urls(["web": web])
                draft.disabled = true
                return draft
            }()),
        Example(
            name: "expired",
            draft: {
                var draft = urls(["web": web])
                draft.expiresAt = "2026-11-21T09:00:00Z"
                return draft
            }()),
        Example(
            name: "scheduled",
            draft: {
                var draft = urls(["web": web])
                draft.validFrom = "2026-11-21T11:00:00Z"
                return draft
            }()),
    ]

    private static let visitors: [(name: String, visitor: Visitor)] = [
        ("iPhone", Visitor(platform: .iphone, device: .phone)), ("iPad", Visitor(platform: .ipad, device: .tablet)),
        ("iPhone, inside an app", Visitor(platform: .iphone, device: .phone, inApp: .instagram)),
        ("iPhone, at `openHost`", Visitor(platform: .iphone, device: .phone, arrivedAtOpenHost: true)),
        ("Mac, or an iPad that claims to be one", Visitor(platform: .macos, device: .desktop, mayBeIPad: true)),
        ("Mac (Chrome, Firefox…)", Visitor(platform: .macos, device: .desktop)),
        ("Android", Visitor(platform: .android, device: .phone)),
        ("Android, inside an app", Visitor(platform: .android, device: .phone, inApp: .instagram)),
        ("Windows, Linux, others", Visitor(platform: .windows, device: .desktop)),
        ("preview crawler", Visitor(platform: .web, bot: .preview)),
        ("other crawler", Visitor(platform: .iphone, bot: .search)),
    ]

    private static func text(_ destination: Resolution.Destination) -> String {
        switch destination.kind {
        case .web: return destination.source == .ownPage ? "the link's own page" : "`\(destination.url)`"
        case .store: return destination.url.hasPrefix("https://play.") ? "Google Play" : "the App Store"
        case .intent:
            let fallback = destination.url.split(separator: ";").first { $0.hasPrefix("S.browser_fallback_url=") }
                .map { String($0.dropFirst("S.browser_fallback_url=".count)) }
            let target =
                fallback.map { $0.hasPrefix("https%3A%2F%2Fplay.") ? "Google Play" : "`\(plain($0))`" } ?? "nothing"
            return "`intent:`, else \(target)"
        }
    }

    private static func plain(_ encoded: String) -> String {
        encoded.replacing("%3A", with: ":").replacing("%2F", with: "/")
    }

    private static func text(_ opening: Resolution.AppOpening) -> String {
        let button =
            opening.open.hasPrefix("https:") ? "`openHost`" : opening.open.hasPrefix("intent:") ? "`intent:`" : "scheme"
        let hint = opening.elsewhere == nil ? "" : ", hint at the browser"
        return "page: \(button), or \(text(opening.fallback))\(hint)"
    }

    private static func text(_ device: Resolution.OnDevice) -> String {
        switch device {
        case .redirect(let destination): text(destination)
        case .openApp(let opening): text(opening)
        case .scan: "page with a QR code"
        }
    }

    private static func text(_ resolution: Resolution) -> String {
        switch resolution {
        case .redirect(let destination): "redirect: \(text(destination))"
        case .openApp(let opening): text(opening)
        case .distinguishMac(let mac, let ipad): "page that detects: Mac \(text(mac)); iPad \(text(ipad))"
        case .scan: "page with a QR code"
        case .preview: "200, the card"
        case .locked: "page with a form"
        case .nowhere: "404"
        case .disabled, .expired, .exhausted: "410"
        case .scheduled: "404"
        }
    }

    private static func table() throws -> String {
        var lines = [
            "# Where a visit ends", "",
            "Generated by `Scripts/decisions-table` from the code. Each test run compares it.",
            "The application has an App Store id, a package, the scheme `shop`, a web address and a template of its own. What a",
            "link sets for a platform comes first, then the template, then the scheme with the route, then the web. Rules come",
            "before all of them ([rules.md](rules.md)). Nothing opens automatically: a page opens an app only after a tap. A browser",
            "does not reveal whether an app is installed, or in which version; the app itself checks whether it is too old.",
        ]
        for example in examples {
            lines += ["", "## The link gives \(example.name)", "", "| visitor | ends at |", "|---|---|"]
            let application = try Samples.application(example.application)
            let link = try Samples.link(example.draft, of: application)
            for (name, visitor) in visitors {
                let resolution = link.resolve(
                    application: application, visitor: visitor, now: Samples.now, clickID: .placeholder)
                lines.append("| \(name) | \(text(resolution)) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func saysWhatTheCodeDecides() throws {
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["WAYMARK_WRITE_DOCS"] == "1" {
            try table.write(toFile: Self.path, atomically: true, encoding: .utf8)
        }
        let data = try #require(FileManager.default.contents(atPath: Self.path))
        #expect(String(decoding: data, as: UTF8.self) == table, "run Scripts/decisions-table")
    }

    /// An answer that was made for one of them is given to the others.
    @Test func classesWithTheSameSlotEndAtTheSame() throws {
        for example in Self.examples {
            let application = try Samples.application(example.application)
            let link = try Samples.link(example.draft, of: application)
            var ends: [Int: Resolution] = [:]
            for kind in VisitorClass.all {
                guard let slot = kind.slot else { continue }
                let end = link.resolve(
                    application: application, visitor: Visitor(kind), now: Samples.now, clickID: .placeholder)
                #expect(ends[slot] == nil || ends[slot] == end, "\(example.name): \(kind)")
                ends[slot] = end
            }
        }
    }
}
