import Testing
import WaymarkKit

@Suite struct ServiceParametersTests {
    @Test(
        arguments: [
            ("shop://a", "shop://a", nil, false),
            ("shop://a?", "shop://a?", nil, false),
            ("shop://a?x=1", "shop://a?x=1", nil, false),
            ("shop://a?_hk_cid=C1", "shop://a", "C1", false),
            ("shop://a?_hk_cid=C1&_hk_md=1", "shop://a", "C1", true),
            ("shop://a?x=1&_hk_md&y=%20&_hk_cid=C%2B1#f", "shop://a?x=1&y=%20#f", "C+1", true),
            ("shop://a?x=1&&_hk_cid=", "shop://a?x=1&", nil, false),
            ("shop://a?_hk_cid=C1&_hk_cid=C2", "shop://a", "C2", false),
            ("shop://a?%5Fhk_cid=C1", "shop://a", "C1", false),
            ("shop://a?_hk_other=1&_HK_cid=2", "shop://a?_HK_cid=2", nil, false),
            ("shop://a#_hk_cid=C1", "shop://a#_hk_cid=C1", nil, false),
        ] as [(String, String, String?, Bool)])
    func `parameters of the service are removed from the query`(
        text: String, rest: String, clickID: String?, needsMetadata: Bool
    ) {
        let (url, service) = DeepLinkURL(text).separatingServiceParameters()
        #expect(url.text == rest)
        #expect(service.clickID == clickID)
        #expect(service.needsMetadata == needsMetadata)
    }

    @Test func findNothingASecondTime() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let once = DeepLinkURL(generator.text(upTo: 12)).separatingServiceParameters().url
            let (twice, service) = once.separatingServiceParameters()
            #expect(twice == once)
            #expect(service == ServiceParameters())
        }
    }
}
