import Testing
import WaymarkAssociation
import WaymarkJSON

@Suite struct AssociationFilesTests {
    @Test func servesARealApplication() throws {
        let document = """
            { "id": "shop", "name": "Shop",
              "domains": ["go.example.com"],
              "baseURL": "https://go.example.com",
              "ios": { "appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789",
                       "components": [ {"/": "/_/*", "exclude": true}, {"/": "/*"} ],
                       "paths": null, "appClips": [], "webCredentials": [] },
              "android": { "package": "com.example.shop", "urlScheme": "shop",
                           "sha256CertFingerprints": ["\(fingerprint("AB"))"] },
              "web": { "baseURL": "https://shop.example.com" },
              "templates": [
                { "name": "product", "route": "products/:product_id",
                  "urls": { "web": "https://shop.example.com/products/:product_id",
                            "ios": {"link": "shop://products/:product_id", "fallback": "store"} } } ] }
            """
        let files = try #require(try files(document))
        #expect(
            files.apple == #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.shop"],"#
                + #""components":[{"/":"/_/*","exclude":true},{"/":"/*"}]}]}}"#)
        #expect(
            files.assetLinks == #"[{"relation":["delegate_permission/common.handle_all_urls"],"#
                + #""target":{"namespace":"android_app","package_name":"com.example.shop","#
                + #""sha256_cert_fingerprints":["\#(fingerprint("AB"))"]}}]"#)
    }

    /// `applinks` for one app with the rules given, as they are written into the document and as they are expected.
    static let appleFiles: [(ios: String, file: String)] = [
        // Every member, in the order of the file; nothing that was not given.
        (
            #"{"appIDs": ["A1.b"], "components": [{"comment": "c", "percentEncoded": false, "caseSensitive": false, "#
                + ##""exclude": false, "#": "top", "?": {"z": "?*", "a": "1"}, "/": "/x/*"}, {"?": "a=*"}, {}]}"##,
            #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[{"/":"/x/*","?":{"z":"?*","a":"1"},"#
                + ##""#":"top","exclude":false,"caseSensitive":false,"percentEncoded":false,"comment":"c"},"##
                + #"{"?":"a=*"},{}]}]}}"#
        ),
        // Given rules are served even where they say nothing, and the same rule twice stays twice.
        (
            #"{"appIDs": ["A1.b"], "components": []}"#,
            #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[]}]}}"#
        ),
        (
            #"{"appIDs": ["A1.b"], "components": [{"/": "*"}, {"/": "*"}, {"?": {}}]}"#,
            #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[{"/":"*"},{"/":"*"},{"?":{}}]}]}}"#
        ),
        // The older form: one app in an entry, and the empty "apps".
        (
            #"{"appIDs": ["A1.b", "A1.c"], "paths": ["NOT /a/*", "*"]}"#,
            #"{"applinks":{"apps":[],"details":[{"appID":"A1.b","paths":["NOT /a/*","*"]},"#
                + #"{"appID":"A1.c","paths":["NOT /a/*","*"]}]}}"#
        ),
        (
            #"{"details": [{"appIDs": ["A1.b"], "components": [{"/": "/b/*"}]}, {"appIDs": ["A1.c"], "paths": ["/c/*"]}, "#
                + #"{"appIDs": ["A1.d", "A1.b"], "components": [{"/": "*"}], "paths": null}]}"#,
            #"{"applinks":{"apps":[],"details":[{"appIDs":["A1.b"],"components":[{"/":"/b/*"}]},"#
                + #"{"appID":"A1.c","paths":["/c/*"]},{"appIDs":["A1.d","A1.b"],"components":[{"/":"*"}]}]}}"#
        ),
        // The other services, alone and behind applinks; an app named twice is written once.
        (#"{"webCredentials": ["A1.b"]}"#, #"{"webcredentials":{"apps":["A1.b"]}}"#),
        (
            #"{"appClips": ["A1.b.Clip"], "webCredentials": ["A1.b", "A1.b"], "appIDs": ["A1.b"], "components": [{}]}"#,
            #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[{}]}]},"webcredentials":{"apps":["A1.b"]},"#
                + #""appclips":{"apps":["A1.b.Clip"]}}"#
        ),
        // Text is neither decoded nor encoded on its way.
        (
            #"{"appIDs": ["A1.b"], "components": [{"/": "/caf\u00e9/%C3%A9/\"\\"}]}"#,
            #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[{"/":"/café/%C3%A9/\"\\"}]}]}}"#
        ),
        (#"{"details": [], "appClips": ["A1.b"]}"#, #"{"appclips":{"apps":["A1.b"]}}"#),
    ]

    @Test(arguments: appleFiles)
    func writesAppleFile(ios: String, file: String) throws {
        #expect(try files(#"{"ios": \#(ios)}"#)?.apple == file)
    }

    static let ours =
        #"{"/":"/_/*","exclude":true},{"/":"/api/*","exclude":true},{"/":"/v1/*","exclude":true},"#
        + #"{"/":"/v2/*","exclude":true},{"/":"/*+","exclude":true},{"/":"/*/qr.*","exclude":true}"#

    /// Templates, and what their routes become.
    static let routes: [(templates: String, components: String)] = [
        ("null", #"{"/":"/*"}"#),
        ("[]", #"{"/":"/*"}"#),
        (#"[{"route": "products/:product_id"}]"#, #"{"/":"/products/*"}"#),
        (#"[{"route": "b/:x/c/:y"}, {"route": "a"}, {"route": ":slug"}]"#, #"{"/":"/b/*/c/*"},{"/":"/a"},{"/":"/*"}"#),
        // Two variables of different names make the same rule.
        (#"[{"route": "a/:x"}, {"route": "a/:y"}]"#, #"{"/":"/a/*"}"#),
        // What means something in a pattern, and what a URL holds encoded.
        (##"[{"route": "a*b/c?d/$(e)/f g/é#"}]"##, #"{"/":"/a?b/c%3Fd/?(e)/f%20g/%C3%A9%23"}"#),
        (#"[{"route": "100%/%C3%A9"}]"#, #"{"/":"/100%25/%C3%A9"}"#),
        (#"[{"route": "/a//:x/"}, {"route": "/"}]"#, #"{"/":"/a/*"},{"/":"/"}"#),
        // What is wrong with templates is reported by the reader of the whole application.
        (#"[{"route": ""}, {"route": 1}, {}, 7, null]"#, #"{"/":"/*"}"#),
        (#"{"route": "a"}"#, #"{"/":"/*"}"#),
    ]

    @Test(arguments: routes)
    func generatesRulesFromRoutes(templates: String, components: String) throws {
        let given = try files(#"{"templates": \#(templates), "ios": {"appIDs": ["A1.b"]}}"#)
        #expect(
            given?.apple
                == #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[\#(Self.ours),\#(components)]}]}}"#)
    }

    @Test func generatesRulesForEveryEntryWithoutItsOwn() throws {
        let document = #"{"ios": {"details": [{"appIDs": ["A1.b"]}, {"appIDs": ["A1.c"], "paths": ["*"]}]}}"#
        #expect(
            try files(document)?.apple
                == #"{"applinks":{"apps":[],"details":[{"appIDs":["A1.b"],"components":[\#(Self.ours),{"/":"/*"}]},"#
                + #"{"appID":"A1.c","paths":["*"]}]}}"#)
    }

    @Test func writesAStatementForEveryAndroidApp() throws {
        let document = """
            {"android": {"package": "com.example.shop", "apps": [
              {"package": "a.b", "sha256CertFingerprints": ["\(fingerprint("0a"))", "\(fingerprint("0A"))", "\(fingerprint("FF"))"]},
              {"package": "c.d", "sha256CertFingerprints": ["\(fingerprint("11"))"]}]}}
            """
        let head = #"{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
        #expect(
            try files(document)?.assetLinks
                == #"[\#(head)"package_name":"a.b","sha256_cert_fingerprints":["\#(fingerprint("0A"))","\#(fingerprint("FF"))"]}},"#
                + #"\#(head)"package_name":"c.d","sha256_cert_fingerprints":["\#(fingerprint("11"))"]}}]"#)
    }

    @Test(arguments: [
        "{}", #"{"ios": null, "android": null}"#, #"{"ios": {}, "android": {}}"#,
        #"{"ios": {"urlScheme": "shop", "appStoreID": "1", "appIDs": [], "appClips": [], "webCredentials": []}}"#,
        #"{"ios": {"appIDs": null, "components": null, "paths": [], "details": null}}"#, #"{"ios": {"details": []}}"#,
        #"{"android": {"package": "com.example.shop", "urlScheme": "shop"}}"#,
        #"{"android": {"package": "com.example.shop", "sha256CertFingerprints": []}}"#, #"{"android": {"apps": []}}"#,
        "[]", "7", "null",
    ])
    func hasNoFileWhereNothingIsConfigured(document: String) throws {
        let files = try #require(try files(document))
        #expect(files.apple == nil)
        #expect(files.assetLinks == nil)
    }

    @Test func theFilesAreIndependent() throws {
        let ios = try #require(try files(#"{"ios": {"webCredentials": ["A1.b"]}}"#))
        #expect(ios.apple != nil && ios.assetLinks == nil)
        let android = try #require(
            try files(#"{"android": {"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}}"#))
        #expect(android.apple == nil && android.assetLinks != nil)
    }
}
