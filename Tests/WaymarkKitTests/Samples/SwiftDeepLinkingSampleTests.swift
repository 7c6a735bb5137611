import Foundation
import Testing
import WaymarkKit
import WaymarkKitCompatibility

/// The samples of swift-deep-linking's page and its demonstration app, as they stand there.
@Suite struct SwiftDeepLinkingSampleTests {
    struct ShowPhotoDeepLink: DeepLink {
        static let template = DeepLinkTemplate()
            .term("show")
            .term("photo")
            .queryStringParameters([
                .requiredString(named: "name")
            ])

        init(values: DeepLinkValues) {
            imageName = values.query["name"] as! String
        }

        let imageName: String
    }

    struct DisplayMessageDeepLink: DeepLink {
        static let template = DeepLinkTemplate()
            .term("display")
            .string(named: "messageType")
            .queryStringParameters([
                .optionalString(named: "username"),
                .requiredBool(named: "mustAccept"),
            ])

        init(values: DeepLinkValues) {
            self.messageType = values.path["messageType"] as! String
            self.mustAccept = values.query["mustAccept"] as! Bool
            self.username = values.query["username"] as? String
        }

        let messageType: String
        let mustAccept: Bool
        let username: String?
    }

    struct SelectTabDeepLink: DeepLink {
        static let template = DeepLinkTemplate().term("select").term("tab").int(named: "index")

        init(values: DeepLinkValues) {
            tabIndex = values.path["index"] as! Int
        }

        let tabIndex: Int
    }

    @Test func test_display_message_deep_link() {
        let recognizer = DeepLinkRecognizer(deepLinkTypes: [DisplayMessageDeepLink.self])
        let url = URL(string: "test://display/upgrade?mustAccept=true&username=Billy%20Bob")!
        if let deepLink = recognizer.deepLink(matching: url) as? DisplayMessageDeepLink {
            #expect(deepLink.messageType == "upgrade")
            #expect(deepLink.mustAccept == true)
            #expect(deepLink.username == "Billy Bob")
        } else {
            Issue.record("not recognised")
        }
    }

    private func executeDeepLink(with url: URL) -> String? {
        let recognizer = DeepLinkRecognizer(deepLinkTypes: [
            SelectTabDeepLink.self,
            ShowPhotoDeepLink.self,
        ])
        guard let deepLink = recognizer.deepLink(matching: url) else { return nil }
        switch deepLink {
        case let link as SelectTabDeepLink: return "tab \(link.tabIndex)"
        case let link as ShowPhotoDeepLink: return "photo \(link.imageName)"
        default: fatalError("Unsupported DeepLink: \(type(of: deepLink))")
        }
    }

    @Test(
        arguments: [
            ("demoapp://select/tab/1", "tab 1"), ("my.url.scheme://show/photo?name=cat", "photo cat"),
            ("demoapp://select/tab/one", nil), ("demoapp://nothing", nil),
        ] as [(String, String?)])
    func recognisesTheFirstTypeThatMatches(text: String, outcome: String?) throws {
        let url = try #require(URL(string: text))
        #expect(executeDeepLink(with: url) == outcome)
    }

    @Test func triesTypesInTheirOrderAndTakesTheServicesParametersOff() {
        struct Any2: DeepLink {
            static let template = DeepLinkTemplate().string(named: "a").string(named: "b").int(named: "c")
            init(values: DeepLinkValues) {}
        }
        let url = "demoapp://select/tab/1?_hk_cid=C1"
        #expect(DeepLinkRecognizer(deepLinkTypes: [Any2.self, SelectTabDeepLink.self]).deepLink(matching: url) is Any2)
        #expect(
            DeepLinkRecognizer(deepLinkTypes: [SelectTabDeepLink.self, Any2.self]).deepLink(matching: url)
                is SelectTabDeepLink)
        let web = DeepLinkRecognizer(deepLinkTypes: [SelectTabDeepLink.self], options: .universalLinks)
        #expect(web.deepLink(matching: "https://go.example.com/select/tab/2?utm_source=x") is SelectTabDeepLink)
    }
}
