import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct FirebaseLinkDraftTests {
    private let application: Application

    init() throws { application = try Samples.firebaseApplication() }

    @Test func readsEveryParameterOfALongLink() {
        let query = FirebaseParameter.allCases.map { "\($0.rawValue)=%2B\($0.rawValue)" }.joined(separator: "&")
        let read = FirebaseQuery(query)
        #expect(read.parameters.entries.map(\.name) == FirebaseParameter.allCases)
        #expect(read.parameters.entries.allSatisfy { $0.value == "+" + $0.name.rawValue })
        #expect(read.warnings.isEmpty)
        #expect(FirebaseQuery(read.parameters.query).parameters == read.parameters)
    }

    @Test(arguments: [
        ("link=a&d=1", true, []), ("link=a&d=0", false, []), ("link=a&d=2", false, ["BAD_DEBUG_PARAM"]),
        ("link=a&ad=yes", false, ["BAD_AD_PARAM"]), ("link=a&more=1", false, ["UNRECOGNIZED_PARAM"]),
        ("link=a&_icp=1&_osl=x&cid=7&_hk_cid=y", false, []),
    ])
    func readsWhatSaysNothingAboutTheLink(_ query: String, _ isPreview: Bool, _ codes: [String]) {
        let read = FirebaseQuery(query)
        #expect(read.isPreview == isPreview)
        #expect(read.warnings.map(\.code.rawValue) == codes)
        #expect(read.parameters == FirebaseParameters([.link: "a"]))
    }

    @Test(arguments: [
        ("link=x", true), ("apn=a&link=x", true), ("xlink=1", false), ("apn=link=", false), ("", false),
        ("link", false),
    ])
    func knowsALongLinkByItsLink(_ query: String, _ isLong: Bool) {
        #expect(FirebaseQuery.isLongLink(query) == isLong)
    }

    /// Parameters besides `link`, the warning, and the parameters that are left.
    @Test(arguments: [
        ("apn=com.other", ["NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"], []),
        ("apn=com.example.shop&amv=1.2", ["NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"], ["apn"]),
        ("amv=7", ["UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"], []),
        ("apn=com.example.shop&amv=7", [], ["apn", "amv"]),
        ("apn=com.example.shop&al=no", ["NOT_URI_ANDROID_LINK"], ["apn"]),
        ("apn=com.example.shop&al=other://x", ["NOT_URI_ANDROID_LINK"], ["apn"]),
        ("apn=com.example.shop&al=shop://x", [], ["apn", "al"]),
        ("apn=com.example.shop&al=$", ["UNNECESSARY_ANDROID_LINK"], ["apn", "al"]),
        ("apn=com.example.shop&afl=no", ["NOT_URI_ANDROID_FALLBACK_LINK"], ["apn"]),
        ("apn=com.example.shop&afl=shop://x", ["BAD_URI_SCHEME_ANDROID_FALLBACK_LINK"], ["apn"]),
        ("ibi=com.other", ["NOT_IN_PROJECT_IOS_BUNDLE_ID"], []),
        ("ipbi=com.other", ["NOT_IN_PROJECT_IPAD_BUNDLE_ID"], []),
        ("ius=shop", ["UNNECESSARY_IOS_URL_SCHEME"], []),
        ("ibi=com.example.shop&ius=other", ["UNRECOGNIZED_PARAM"], ["ibi"]),
        ("ibi=com.example.shop&ius=shoppro", [], ["ibi", "ius"]),
        ("ibi=com.example.shop&ius=com.example.shop", [], ["ibi", "ius"]),
        ("isi=123456789", ["UNNECESSARY_IOS_APP_STORE_ID"], []),
        ("ibi=com.example.shop&isi=12a", ["NOT_NUMERIC_IOS_APP_STORE_ID"], ["ibi"]),
        ("ibi=com.example.shop&isi=99", ["NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"], ["ibi"]),
        ("ibi=com.example.shop&isi=123456789", [], ["ibi", "isi"]),
        ("ifl=no", ["NOT_URI_IOS_FALLBACK_LINK"], []), ("ifl=shop://x", ["BAD_URI_SCHEME_IOS_FALLBACK_LINK"], []),
        ("ipfl=no", ["NOT_URI_IPAD_FALLBACK_LINK"], []), ("ipfl=a://x", ["BAD_URI_SCHEME_IPAD_FALLBACK_LINK"], []),
        ("ofl=no", ["UNRECOGNIZED_PARAM"], []), ("ofl=javascript:alert(1)", ["UNRECOGNIZED_PARAM"], []),
        ("imv=x", ["UNRECOGNIZED_PARAM"], []), ("efr=1", [], ["efr"]), ("efr=0", [], []),
        ("gclid=g", ["DEPRECATED_PARAM"], ["gclid"]),
        ("si=no", ["NOT_URI_SOCIAL_IMAGE_LINK"], []), ("si=a://x", ["BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"], []),
        ("si=https://www.example.com/x.png", [], ["si"]),
        ("st=%00", ["UNRECOGNIZED_PARAM"], []), ("sd=a%0D%0Ab", [], ["sd"]),
    ])
    func warnsAndGoesOn(_ query: String, _ codes: [String], _ left: [String]) throws {
        let read = Samples.firebaseDraft("link=$&" + query, of: application)
        #expect(read.problems.isEmpty)
        #expect(read.warnings.map(\.code.rawValue) == codes)
        #expect(read.origin.firebase?.entries.map(\.name.rawValue) == ["link"] + left)
        #expect(read.draft.validate(for: application).problems.isEmpty)
    }

    @Test(arguments: [("https://pictures.other.example/x.png", false), ("https://www.example.com/x.png", true)])
    func dropsForeignPicturesOfStrangers(_ picture: String, _ isKept: Bool) {
        let read = FirebaseLinkDraft(
            FirebaseParameters([.link: "https://www.example.com/", .si: picture]), for: application, onlyOwnHosts: true)
        #expect(read.problems.isEmpty)
        #expect(read.warnings.map(\.code.rawValue) == (isKept ? [] : ["UNRECOGNIZED_PARAM"]))
        #expect(read.draft.social?.imageURL == (isKept ? picture : nil))
        #expect(read.origin.firebase?.entries.map(\.name.rawValue) == (isKept ? ["link", "si"] : ["link"]))
    }

    @Test(arguments: [
        ("st", 301), ("sd", 2001), ("utm_source", 256), ("utm_content", 256), ("gclid", 256), ("pt", 256),
    ])
    func ignoresWhatIsTooLong(_ name: String, _ length: Int) {
        let long = String(repeating: "x", count: length)
        let read = Samples.firebaseDraft("link=$&\(name)=\(long)", of: application)
        #expect(read.warnings.contains { $0.code == .tooLongParam })
        #expect(read.origin.firebase == FirebaseParameters([.link: "https://www.example.com/"]))
        #expect(read.draft.validate(for: application).problems.isEmpty)
    }

    @Test func makesTheWholeDraft() throws {
        let read = Samples.firebaseDraft(
            "link=$&apn=com.example.shop&amv=7&imv=2.1&st=Hello+there&sd=D&si=https%3A%2F%2Fwww.example.com%2Fi.png"
                + "&utm_source=s&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=n",
            of: application)
        let draft = read.draft
        #expect(draft.minimumVersion == MinimumVersionRequest(ios: "2.1", android: "7"))
        #expect(draft.campaign == CampaignRequest(source: "s", medium: "m", name: "c", term: "t", content: "n"))
        #expect(
            draft.social
                == SocialRequest(
                    title: "Hello there", description: "D", imageURL: "https://www.example.com/i.png"))
        #expect(
            draft.urls == [
                "web": URLEntryRequest("https://www.example.com/"),
                "android": URLEntryRequest("https://www.example.com/", fallback: "store"),
            ])
    }

    @Test func takesNoColonForAVariable() throws {
        let link = "https://www.example.com/:id/a?x=:y#/:z"
        let read = FirebaseLinkDraft(FirebaseParameters([.link: link]), for: application, onlyOwnHosts: true)
        #expect(read.draft.urls["web"]?.link == "https://www.example.com/%3Aid/a?x=%3Ay#/%3Az")
        #expect(read.draft.validate(for: application).problems.isEmpty)
    }

    @Test(arguments: [
        "", "no", "ftp://www.example.com", "shop://x", "javascript:alert(1)", "https://u@www.example.com/",
        "https://go.example.com/?link=https://www.example.com",
    ])
    func needsAWebURLAsItsLink(_ link: String) {
        let read = FirebaseLinkDraft(FirebaseParameters([.link: link]), for: application, onlyOwnHosts: false)
        #expect(read.problems.map(\.field) == ["link"])
    }

    // MARK: Where they may lead

    static let elsewhere = [
        "https://evil.example/", "http://evil.example/", "https://evil.example./", "https://EVIL.example/",
        "https://www.example.com.evil.example/", "https://evil.example/?www.example.com",
        "https://evil.example/#www.example.com", "https://evil.example:443/", "https://wwwexample.com/",
        "https://cdn.example.com/", "https://shop.example.com.evil.example/", "https://203.0.113.9/",
        "https://[2001:db8::1]/", "https://[::ffff:203.0.113.9]/", "https://localhost/", "https://go.example.com/x",
        "https://xn--e1afmkfd.example/",
    ]

    @Test(arguments: ["link", "ofl", "afl", "ifl", "ipfl", "al"], elsewhere)
    func leadsOnlyToHostsOfTheApplication(_ name: String, _ url: String) throws {
        let parameter = try #require(FirebaseParameter(rawValue: name))
        var parameters = FirebaseParameters([
            .link: "https://www.example.com/", .apn: "com.example.shop", .ibi: "com.example.shop",
        ])
        parameters[parameter] = url
        let read = FirebaseLinkDraft(parameters, for: application, onlyOwnHosts: true)
        #expect(read.problems.map(\.field) == [name])
    }

    /// What browsers may read as another host is no URL at all.
    @Test(
        arguments: ["ofl", "afl", "ifl", "ipfl", "al"],
        [
            "//evil.example", "\\\\evil.example", "https:\\\\evil.example", "https://www.example.com@evil.example/",
            "https://www.example.com:x@evil.example/", "https://www.example.com\\@evil.example/",
            "https:///evil.example", "https:evil.example",
            "https://www.example.com\u{0}.evil.example/", "https://www.example.com .evil.example/",
            "https://www.example.com\r\nLocation: https://evil.example", "javascript://www.example.com/%0aalert(1)",
            "data:text/html,x", "intent://evil.example#Intent;scheme=https;end", "file:///etc/passwd",
            "\thttps://evil.example/", "https://www.example.com:99999/", "https://0x7f.1/",
        ])
    func dropsWhatIsNoSafeURL(_ name: String, _ url: String) throws {
        let parameter = try #require(FirebaseParameter(rawValue: name))
        var parameters = FirebaseParameters([
            .link: "https://www.example.com/", .apn: "com.example.shop", .ibi: "com.example.shop",
        ])
        parameters[parameter] = url
        let read = FirebaseLinkDraft(parameters, for: application, onlyOwnHosts: true)
        #expect(read.problems.isEmpty)
        #expect(read.warnings.count == 1)
        #expect(read.origin.firebase?[parameter] == nil)
        parameters = FirebaseParameters([.link: url])
        #expect(!FirebaseLinkDraft(parameters, for: application, onlyOwnHosts: true).problems.isEmpty)
    }

    /// Hosts, and whether a link that anybody can write may lead there.
    @Test(arguments: [
        ("shop.example.com", true), ("www.example.com", true), ("a.cdn.example.com", true),
        ("cdn.example.com", false), ("evil.example", false),
    ])
    func allowsTheHostsThatAreNamed(_ host: String, _ isAllowed: Bool) throws {
        #expect(application.isOwnDestination(try #require(HostName(host))) == isAllowed)
    }

    /// Without a list of hosts every host is allowed to links of keys, but not to links that anybody can write.
    @Test(arguments: [
        ("shop.example.com", true), ("pages.example.com", true), ("fallback.example.com", true),
        ("evil.example", false),
        ("blocked.example.com", false),
    ])
    func allowsTheHostsOfPagesWithoutAList(_ host: String, _ isAllowed: Bool) throws {
        let application = try Samples.application { draft in
            draft.destinations = ApplicationRequest.Destinations(blockedHosts: ["blocked.example.com"])
            draft.templates = [
                ApplicationRequest.Template(
                    name: nil, route: "p/:id",
                    urls: [
                        "web": URLEntryRequest("https://pages.example.com/:id"),
                        "ios": URLEntryRequest("shop://p/:id", fallback: "https://fallback.example.com"),
                    ])
            ]
        }
        #expect(application.isOwnDestination(try #require(HostName(host))) == isAllowed)
    }

    // MARK: Settings

    @Test(arguments: [
        (["short"], ["firebase.apiKeys[0]"]), (["with space", "AIzaSyExample"], ["firebase.apiKeys[0]"]),
        (["AIzaSyExample", "AIzaSyExample"], ["firebase.apiKeys[1]"]), (["AIzaSyExample"], []),
    ])
    func checksAPIKeys(_ keys: [String], _ fields: [String]) {
        var draft = ApplicationRequest()
        draft.id = "shop"
        draft.firebase = ApplicationRequest.Firebase(enabled: true, apiKeys: keys)
        #expect(draft.validate().fields == fields)
    }

    /// It is one, but too long.
    @Test(arguments: ["ofl", "afl", "ifl", "ipfl", "si", "al"]) func aLongURLIsNotCalledNoURI(_ name: String) throws {
        let application = try Samples.firebaseApplication()
        let query = "link=$&apn=com.example.shop&\(name)=$" + String(repeating: "a", count: 8_000)
        let read = Samples.firebaseDraft(query, of: application)
        #expect(read.warnings.map(\.code) == [.tooLongParam])
        #expect(read.warnings[0].message == "Parameter \(name) is longer than 8,000 bytes and was ignored.")
    }
}
