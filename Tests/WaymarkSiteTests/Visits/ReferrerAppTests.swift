import Testing
import WaymarkLinks
import WaymarkService

/// The Android app in `Referer` (`android-app:`), for rules and in the records of clicks.
@Suite struct ReferrerAppTests {
    private static let long = "com." + String(repeating: "x", count: 240) + ".mail"

    @Test(arguments: [
        ("android-app://com.google.android.gm/", true), ("android-app://com.google.android.gm", true),
        ("ANDROID-APP://com.google.android.gm/https/a.example", true),
        ("android-app://com.google.android.gm?\(String(repeating: "x", count: 9_000))", true),
        ("android-app://gm/", false), ("android-app://", false), ("android-app:/com.google.android.gm", false),
        ("android-app://com.google.android.gm%2F", false), ("https://com.google.android.gm/", false),
        ("android-app://com.google.android.gm.\(String(repeating: "x", count: 9_000))", false),
    ])
    func aRuleReadsThePackage(referrer: String, matches: Bool) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(
                """
                {"slug": "a", "urls": {"web": "https://shop.example.com/"}, "rules": [
                    {"when": {"referrerHost": "app:com.google.android.gm"}, "to": "https://shop.example.com/mail"}]}
                """)
            let answer = try await fixture.visit("/a", headers: [("Referer", referrer)])
            #expect(answer[header: "Location"] == "https://shop.example.com/" + (matches ? "mail" : ""))
        }
    }

    @Test func reportsListItAndFilterByIt() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "a", "urls": {"web": "https://a.example/"}}"#)
            for _ in 0..<3 {
                let answer = try await fixture.visit(
                    "/a", as: Agent.android, headers: [("Referer", "android-app://com.google.android.gm/")])
                #expect(answer.status == 302)
            }
            _ = try await fixture.visit("/a", as: Agent.android, headers: [("Referer", "https://news.example/")])
            try await fixture.service.flushRecords()
            let path = "/api/v1/clicks?app=shop&from=2026-11-01&to=2026-11-30&top=referrers"
            let all = try await fixture.call("GET", path)
            #expect(all.status == 200)
            #expect(all.text.contains("\"app:com.google.android.gm\""))
            let some = try await fixture.call("GET", path + "&referrerHost=app:com.google.android.gm")
            #expect(some.status == 200)
            #expect(!some.text.contains("news.example"))
            #expect(try await fixture.call("GET", path + "&referrerHost=app:gm").status == 422)
        }
    }

    @Test(arguments: [
        ("com.google.android.gm", "app:com.google.android.gm"), ("a.b", "app:a.b"),
        (long, "app:mail"), ("com." + String(repeating: "x", count: 150), "app:" + String(repeating: "x", count: 96)),
    ])
    func aRecordHoldsAtMostTheBytesOfAHost(package: String, recorded: String) {
        #expect(ClickField.recorded(app: package) == recorded)
        #expect(recorded.utf8.count <= ClickField.hostLimit)
    }
}
