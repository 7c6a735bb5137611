import DynamicLinksSample
import Foundation
import Testing
import WaymarkKit

@testable import WaymarkDynamicLinks

@MainActor
@Suite struct LongLinkTests {
    @Test func writesEveryParameterInAFixedOrder() throws {
        let components = LinkCreator().everything(domain: "https://go.example.com")
        components.iOSParameters?.appStoreID = "123456789"
        components.iOSParameters?.minimumAppVersion = "2.4"
        components.androidParameters?.minimumVersion = 25
        components.socialMetaTagParameters = DynamicLinkSocialMetaTagParameters()
        components.socialMetaTagParameters?.title = "T"
        components.socialMetaTagParameters?.descriptionText = "D"
        components.socialMetaTagParameters?.imageURL = URL(string: "https://i.example/1")
        components.analyticsParameters?.term = "t"
        let page = "https%3A%2F%2Fshop%2Eexample%2Ecom%2F"
        #expect(
            components.url?.absoluteString == "https://go.example.com/?"
                + [
                    "link=\(page)", "apn=com%2Eexample%2Eshop", "afl=\(page)android", "amv=25",
                    "ibi=com%2Eexample%2Eshop",
                    "ifl=\(page)ios", "ius=shop", "ipfl=\(page)ios", "ipbi=com%2Eexample%2Eshop", "isi=123456789",
                    "imv=2%2E4", "ofl=\(page)desktop", "efr=1", "st=T", "sd=D", "si=https%3A%2F%2Fi%2Eexample%2F1",
                    "utm_source=mail", "utm_term=t", "utm_content=footer", "at=a", "ct=c", "pt=p",
                ].joined(separator: "&"))
    }

    @Test(arguments: [
        ("a b&c=d#e?f+g%h", "a%20b%26c%3Dd%23e%3Ff%2Bg%25h"), ("ü–🙂", "%C3%BC%E2%80%93%F0%9F%99%82"),
        ("-._~", "%2D%2E%5F%7E"), ("\r\n\u{0}", "%0D%0A%00"), ("AZaz09", "AZaz09"),
    ])
    func encodesEverythingButLettersAndDigits(title: String, encoded: String) throws {
        let components = try #require(
            DynamicLinkComponents(link: try url("https://a.example"), domainURIPrefix: "https://go.example.com"))
        components.socialMetaTagParameters = DynamicLinkSocialMetaTagParameters()
        components.socialMetaTagParameters?.title = title
        #expect(
            components.url?.absoluteString
                == "https://go.example.com/?link=https%3A%2F%2Fa%2Eexample&st=" + encoded)
    }

    @Test(arguments: [
        ("https://go.example.com", true), ("HTTPS://go.example.com/links", true), ("http://go.example.com", false),
        ("go.example.com", false), ("", false), ("shop://x", false),
    ])
    func needsAPrefixWithHTTPS(prefix: String, isAccepted: Bool) throws {
        let components = DynamicLinkComponents(link: try url("https://a.example"), domainURIPrefix: prefix)
        #expect((components != nil) == isAccepted)
        #expect(components?.domain == (isAccepted ? prefix : nil))
    }

    @Test func dropsSlashesAtTheEndOfThePrefix() throws {
        let components = try #require(
            DynamicLinkComponents(link: try url("https://a.example"), domainURIPrefix: "https://example.com/links//"))
        #expect(components.url?.absoluteString == "https://example.com/links/?link=https%3A%2F%2Fa%2Eexample")
        components.domain = nil
        #expect(components.url == nil)
    }

    @Test func treatsEmptyValuesAsNone() throws {
        let ios = DynamicLinkIOSParameters(bundleID: "")
        #expect(ios.bundleID == nil)
        ios.appStoreID = "1"
        ios.appStoreID = ""
        #expect(ios.appStoreID == nil)
        ios.fallbackURL = try url("https://a.example")
        ios.fallbackURL = nil
        #expect(ios.fallbackURL == nil)
        #expect(DynamicLinkAndroidParameters(packageName: "x").minimumVersion == 0)
        let analytics = DynamicLinkGoogleAnalyticsParameters(source: "", medium: "m", campaign: "c")
        #expect(analytics.source == nil && analytics.medium == "m" && analytics.campaign == "c")
    }

    @Test func keepsFalseAndZeroOnceTheyAreSet() throws {
        let components = try #require(
            DynamicLinkComponents(link: try url("https://a.example"), domainURIPrefix: "https://go.example.com"))
        components.navigationInfoParameters = DynamicLinkNavigationInfoParameters()
        components.androidParameters = DynamicLinkAndroidParameters(packageName: "p")
        #expect(components.url?.query?.contains("efr") == false)
        #expect(components.url?.query?.contains("amv") == false)
        components.navigationInfoParameters?.isForcedRedirectEnabled = false
        components.androidParameters?.minimumVersion = 0
        #expect(components.url?.query?.hasSuffix("apn=p&amv=0&efr=0") == true)
        #expect(components.navigationInfoParameters?.isForcedRedirectEnabled == false)
    }

    @Test func readsWhatItWrites() throws {
        let components = try #require(LinkCreator().components(product: 42, domain: "https://go.example.com"))
        let (links, _) = try DynamicLinks.standIn(.init(.failure(.offline)))
        let long = try #require(components.url)
        let link = try #require(links.dynamicLink(fromUniversalLink: long))
        #expect(link.url == components.link)
        #expect(link.minimumAppVersion == "1.2.3")
        #expect(
            link.utmParametersDictionary as? [String: String] == [
                "utm_source": "orkut", "utm_medium": "social", "utm_campaign": "spring & summer", "utm_term": "shoes",
            ])
    }

    @Test func readsTheFiveParametersOfCampaigns() throws {
        let (links, _) = try DynamicLinks.standIn(.init(.failure(.offline)))
        let text =
            "https://go.example.com/?link=https://a.example&utm_source=1&utm_medium=2&utm_campaign=3&utm_term=4&utm_content=5&utm_id=6&utm_=7"
        let link = try #require(links.dynamicLink(fromUniversalLink: try url(text)))
        #expect(
            link.utmParametersDictionary as? [String: String] == [
                "utm_source": "1", "utm_medium": "2", "utm_campaign": "3", "utm_term": "4", "utm_content": "5",
            ])
    }
}
