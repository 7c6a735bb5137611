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
                + #""sha256_cert_fingerprints":["\#(fingerprint("AB"))"]},\#(Self.generated)]"#)
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

    static func exclusions(_ paths: [String]) -> String {
        paths.map { #"{"/":"\#($0)","exclude":true}"# }.joined(separator: ",")
    }

    static let ours = exclusions(["/_/*", "/api/*", "/.well-known/*", "/*+", "/*/qr.png", "/*/qr.svg"])
    static let oursForAndroid = exclusions([
        "/_", "/_/*", "/api/*", "/.well-known/*", "/*+", "/*/qr.png", "/*/qr.svg", "/*/*/qr.png", "/*/*/qr.svg",
        "/*/*/*/qr.png", "/*/*/*/qr.svg", "/*/*/*/*/qr.png", "/*/*/*/*/qr.svg",
    ])

    /// The end of a statement.
    static func dynamic(_ rules: String) -> String {
        #""relation_extensions":{"delegate_permission/common.handle_all_urls":{"dynamic_app_link_components":["#
            + rules + "]}}}"
    }

    static let generated = dynamic(oursForAndroid + #",{"/":"*"}"#)

    @Test(arguments: [
        "null", "[]", #"[{"route": "products/:product_id"}]"#, #"[{"route": "a"}, {"route": ":slug"}]"#,
        #"[{"route": ""}, {"route": 1}, {}, 7, null]"#, #"{"route": "a"}"#,
    ])
    func listsNoRoutesOfTemplates(templates: String) throws {
        let given = try files(#"{"templates": \#(templates), "ios": {"appIDs": ["A1.b"]}}"#)
        #expect(
            given?.apple
                == #"{"applinks":{"details":[{"appIDs":["A1.b"],"components":[\#(Self.ours),{"/":"/*"}]}]}}"#)
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
                == #"[\#(head)"package_name":"a.b","sha256_cert_fingerprints":["\#(fingerprint("0A"))","\#(fingerprint("FF"))"]},"#
                + #"\#(Self.generated),"#
                + #"\#(head)"package_name":"c.d","sha256_cert_fingerprints":["\#(fingerprint("11"))"]},\#(Self.generated)]"#
        )
    }

    @Test(arguments: [
        #""package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": RULES"#,
        #""package": "a.b", "apps": [{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": RULES}]"#,
        // The rules of the first entry hold for its package.
        #""apps": [{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": RULES}, "#
            + #"{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}]"#,
    ])
    func writesDynamicRulesAsGiven(android: String) throws {
        let rules =
            ##"[{"comment": "c", "exclude": false, "#": "top", "?": {"z": "?*", "a": "1"}, "/": "/x/*"}, {"?": {"b": "*"}}]"##
        let given = try files("{\"android\": {\(android.replacing("RULES", with: rules))}}")
        let written = Self.dynamic(
            ##"{"/":"/x/*","?":{"z":"?*","a":"1"},"#":"top","exclude":false},{"?":{"b":"*"}}"##)
        #expect(
            given?.assetLinks
                == #"[{"relation":["delegate_permission/common.handle_all_urls"],"#
                + #""target":{"namespace":"android_app","package_name":"a.b","#
                + #""sha256_cert_fingerprints":["\#(fingerprint("AB"))"]},\#(written)]"#)
    }

    @Test(arguments: [
        "{}", #"{"ios": null, "android": null}"#, #"{"ios": {}, "android": {}}"#,
        #"{"ios": {"urlScheme": "shop", "appStoreID": "1", "appIDs": [], "appClips": [], "webCredentials": []}}"#,
        #"{"ios": {"appIDs": null, "components": null, "paths": [], "details": null}}"#, #"{"ios": {"details": []}}"#,
        #"{"android": {"package": "com.example.shop", "urlScheme": "shop"}}"#,
        #"{"android": {"package": "com.example.shop", "sha256CertFingerprints": []}}"#, #"{"android": {"apps": []}}"#,
        "[]", "7", "null",
    ])
    func `an application that configures nothing has no files`(document: String) throws {
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
