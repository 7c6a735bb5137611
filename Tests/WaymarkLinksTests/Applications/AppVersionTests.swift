import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct AppVersionTests {
    /// Two versions and which one is older: `<`, `>` or `=`.
    @Test(arguments: [
        ("1", "2", "<"), ("1", "1", "="), ("1.9", "1.10", "<"), ("4.2", "4.2.0", "="), ("4.2", "4.2.0.0.0.0.0.0", "="),
        ("4.2", "4.2.0.1", "<"), ("4.2.1", "4.2", ">"), ("10", "9.9.9", ">"), ("01.002", "1.2", "="), ("0", "0.0", "="),
        ("412", "99", ">"), ("999999999999999999", "999999999999999998", ">"), ("1.0.10", "1.0.9", ">"),
    ])
    func comparesNumberByNumber(left: String, right: String, sign: String) throws {
        let (one, other) = (try #require(AppVersion(left)), try #require(AppVersion(right)))
        #expect((one < other) == (sign == "<"))
        #expect((one > other) == (sign == ">"))
        #expect((one == other) == (sign == "="))
        #expect(one.text == left)
    }

    @Test(arguments: [
        "", ".", "1.", ".1", "1..2", "v1", "1.2-beta", "1.2b", "-1", "+1", " 1", "1 ", "1,2", "1.2\n", "１", "1e3",
        "1.2.3.4.5.6.7.8.9", "1234567890123456789", "0x10",
    ])
    func refusesWhatIsNoVersion(text: String) throws {
        #expect(AppVersion(text) == nil)
        var draft = ApplicationRequest()
        draft.id = "shop"
        draft.ios = ApplicationRequest.IOS(minimumVersion: text)
        draft.android = ApplicationRequest.Android(minimumVersion: text)
        #expect(draft.validate().fields == ["ios.minimumVersion", "android.minimumVersion"])
        let link = Samples.productDraft { $0.minimumVersion = MinimumVersionRequest(ios: text, android: text) }
        #expect(
            link.validate(for: try Samples.application()).fields == ["minimumVersion.ios", "minimumVersion.android"])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var platform: Platform
        /// Of iOS and Android.
        var application: (String?, String?) = ("4.0", "400")
        var link: (String?, String?) = (nil, nil)
        var installed: String
        /// Nil: no update.
        var wanted: String?
        var testDescription: String { "\(platform) \(installed) against \(link), \(application)" }
    }

    @Test(arguments: [
        Case(platform: .iphone, installed: "3.9.9", wanted: "4.0"),
        Case(platform: .ipad, installed: "3", wanted: "4.0"),
        Case(platform: .ios, installed: "4", wanted: nil), Case(platform: .ios, installed: "4.0.1", wanted: nil),
        Case(platform: .android, installed: "399", wanted: "400"),
        Case(platform: .android, installed: "400", wanted: nil),
        Case(platform: .android, installed: "4.1", wanted: "400"),
        // The link's own wins, whether it wants more or less; platform by platform.
        Case(platform: .ios, link: ("5.1", nil), installed: "5.0", wanted: "5.1"),
        Case(platform: .ios, link: ("3", nil), installed: "3.5", wanted: nil),
        Case(platform: .android, link: ("5.1", nil), installed: "399", wanted: "400"),
        Case(platform: .android, link: (nil, "410"), installed: "405", wanted: "410"),
        Case(platform: .ios, application: (nil, nil), installed: "1", wanted: nil),
        Case(platform: .ios, application: (nil, nil), link: ("2", nil), installed: "1", wanted: "2"),
        // No app has a version there.
        Case(platform: .web, link: ("9", "9"), installed: "1", wanted: nil),
        Case(platform: .macos, link: ("9", "9"), installed: "1", wanted: nil),
        Case(platform: .windows, link: ("9", "9"), installed: "1", wanted: nil),
    ])
    func tellsWhichAppsAreTooOld(_ sample: Case) throws {
        let application = try Samples.application {
            $0.ios?.minimumVersion = sample.application.0
            $0.android?.minimumVersion = sample.application.1
        }
        let link = try Samples.link(
            Samples.productDraft {
                $0.minimumVersion = MinimumVersionRequest(ios: sample.link.0, android: sample.link.1)
            }, of: application)
        let update = link.requiredUpdate(
            from: try #require(AppVersion(sample.installed)), on: sample.platform, application: application)
        #expect(update?.minimumVersion.text == sample.wanted)
        guard let update else { return }
        #expect(
            update.url
                == (sample.platform == .android
                    ? "https://play.google.com/store/apps/details?id=com.example.shop"
                    : "https://apps.apple.com/app/id123456789"))
        let bare = Application(
            id: application.id, name: application.name,
            ios: IOSIdentity(minimumVersion: application.ios?.minimumVersion),
            android: AndroidIdentity(minimumVersion: application.android?.minimumVersion))
        let unnamed = link.requiredUpdate(
            from: try #require(AppVersion(sample.installed)), on: sample.platform, application: bare)
        #expect(unnamed?.url == nil)
        #expect(unnamed?.minimumVersion.text == sample.wanted)
    }
}
