import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

@Suite struct UpgradePendingTests {
    @Test func aRefusalNamesVersionsAndNoAddresses() {
        let pending = UpgradePending(name: "title", version: "0.1", hosts: ["10.1.2.3"])
        let problem = Problem(StoreError.upgradePending(pending))
        #expect(problem.type == ProblemType.upgradePending.urn && problem.status == 409)
        #expect(problem.detail.contains("version 0.1") && problem.detail.contains("title"))
        #expect(!problem.detail.contains("10.1.2.3"))
    }

    @Test(
        arguments: [
            (#"{"id": "shop", "domains": ["go.example.com"]}"#, nil),
            (#"{"id": "shop", "domains": ["go.example.com"], "onRoot": "https://shop.example.com/"}"#, "onRoot"),
            (#"{"id": "shop", "extraPath": "append"}"#, "extraPath"),
            (#"{"id": "shop", "android": {"package": "com.example", "galaxy": "com.example"}}"#, "android.galaxy"),
            (
                #"{"id": "shop", "rules": [{"when": {"store": ["galaxy"]}, "to": "https://shop.example.com/"}]}"#,
                "rules by store or referring app"
            ),
            (
                #"{"id": "shop", "rules": [{"when": {"referrerHost": ["app:com.x"]}, "to": "https://shop.example.com/"}]}"#,
                "rules by store or referring app"
            ),
            (
                #"{"id": "shop", "rules": [{"name": "all", "to": "https://shop.example.com/"}]}"#,
                "rules with a name"
            ),
            (
                #"{"id": "shop", "templates": [{"route": "p", "urls": {"web": {"name": "all", "link": "https://a.example/"}}}]}"#,
                "entries of templates with a name"
            ),
        ] as [(String, String?)])
    func documentsNameWhatEarlierVersionsCannotRead(text: String, member: String?) throws {
        let document = try JSONDocument(Array(text.utf8))
        guard case .definition(let definition) = ApplicationDocument.read(document) else {
            Issue.record("the document was refused")
            return
        }
        #expect(definition.need?.name == member)
    }
}
