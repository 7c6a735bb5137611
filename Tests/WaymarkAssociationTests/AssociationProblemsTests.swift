import Testing
import WaymarkAssociation
import WaymarkJSON

@Suite struct AssociationProblemsTests {
    static let ios: [(ios: String, fields: [String])] = [
        ("7", ["ios"]), ("[]", ["ios"]), ("false", ["ios"]),
        (#"{"appIDs": "A1.b"}"#, ["ios.appIDs"]),
        (
            #"{"appIDs": ["A1.b", "com.example.shop", 7, null, "A1.c"]}"#,
            ["ios.appIDs[1]", "ios.appIDs[2]", "ios.appIDs[3]"]
        ),
        (#"{"appClips": [""], "webCredentials": {}}"#, ["ios.webCredentials", "ios.appClips[0]"]),
        (#"{"appIDs": ["A1.b"], "components": {}}"#, ["ios.components"]),
        (
            #"{"appIDs": ["A1.b"], "components": [[], "/*", null]}"#,
            ["ios.components[0]", "ios.components[1]", "ios.components[2]"]
        ),
        (
            ##"{"appIDs": ["A1.b"], "components": [{"/": 1, "?": 2, "#": null, "exclude": "true", "caseSensitive": 1, "##
                + #""percentEncoded": null, "comment": []}]}"#,
            [
                "ios.components[0]./", "ios.components[0].?", "ios.components[0].#", "ios.components[0].exclude",
                "ios.components[0].caseSensitive", "ios.components[0].percentEncoded", "ios.components[0].comment",
            ]
        ),
        // One value of the wrong type would make devices drop the whole dictionary, which opens more.
        (
            #"{"appIDs": ["A1.b"], "components": [{}, {"?": {"a": "1", "b": true, "c": null}}, {"?": ["a"]}]}"#,
            ["ios.components[1].?.b", "ios.components[1].?.c", "ios.components[2].?"]
        ),
        (
            #"{"appIDs": ["A1.b"], "components": [{"/": "*", "casesensitive": false, "excludes": true}]}"#,
            ["ios.components[0].casesensitive", "ios.components[0].excludes"]
        ),
        (#"{"appIDs": ["A1.b"], "paths": "*"}"#, ["ios.paths"]),
        (#"{"appIDs": ["A1.b"], "paths": ["*", {"/": "*"}]}"#, ["ios.paths[1]"]),
        (#"{"appIDs": ["A1.b"], "components": [], "paths": []}"#, ["ios.paths"]),
        // Rules for nobody.
        (#"{"components": [{"/": "*"}]}"#, ["ios.components"]),
        (#"{"appIDs": [], "paths": ["*"]}"#, ["ios.paths"]),
        // The long form.
        (#"{"details": {}}"#, ["ios.details"]),
        (#"{"details": [], "appIDs": ["A1.b"]}"#, ["ios.details"]),
        (#"{"details": [{"appIDs": ["A1.b"]}], "components": []}"#, ["ios.details"]),
        (#"{"details": [{"appIDs": ["A1.b"]}], "paths": ["*"]}"#, ["ios.details"]),
        (
            #"{"details": [7, {}, {"appIDs": []}, {"appIDs": ["x"], "components": [{"/": 1}]}, {"appIDs": ["A1.b"], "appID": "A1.b"}]}"#,
            [
                "ios.details[0]", "ios.details[1].appIDs", "ios.details[2].appIDs", "ios.details[3].appIDs[0]",
                "ios.details[3].components[0]./", "ios.details[4].appID",
            ]
        ),
        (#"{"details": [{"appIDs": ["A1.b"], "components": [], "paths": []}]}"#, ["ios.details[0].paths"]),
    ]

    @Test(arguments: ios)
    func locatesEveryProblemOfIOS(ios: String, fields: [String]) throws {
        #expect(try wrongFields(#"{"ios": \#(ios)}"#) == fields)
    }

    static let android: [(android: String, fields: [String])] = [
        ("7", ["android"]),
        (#"{"package": 7}"#, ["android.package"]),
        (#"{"package": "shop"}"#, ["android.package"]),
        (#"{"package": "a.b", "sha256CertFingerprints": "\#(fingerprint("AB"))"}"#, ["android.sha256CertFingerprints"]),
        (
            #"{"package": "a.b", "sha256CertFingerprints": ["AB:CD", "\#(fingerprint("AB"))", 7]}"#,
            ["android.sha256CertFingerprints[0]", "android.sha256CertFingerprints[2]"]
        ),
        (#"{"sha256CertFingerprints": ["\#(fingerprint("AB"))"]}"#, ["android.sha256CertFingerprints"]),
        (#"{"apps": {}}"#, ["android.apps"]),
        (#"{"apps": [], "sha256CertFingerprints": []}"#, ["android.apps"]),
        (
            #"{"apps": ["a.b", {}, {"package": "a", "sha256CertFingerprints": ["x"], "relation": []}]}"#,
            [
                "android.apps[0]", "android.apps[1].package", "android.apps[1].sha256CertFingerprints",
                "android.apps[2].relation", "android.apps[2].package", "android.apps[2].sha256CertFingerprints[0]",
            ]
        ),
        // Rules, of which one that is malformed or empty makes Android drop all.
        (#"{"components": [{"/": "*"}]}"#, ["android.components"]),
        (#"{"package": "a.b", "components": [{"/": "*"}]}"#, ["android.components"]),
        (app(#"{}"#), ["android.components"]),
        (app(#"[]"#), ["android.components"]),
        (
            app(#"[[], "/*", null, {}]"#),
            [
                "android.components[0]", "android.components[1]", "android.components[2]", "android.components[3]",
            ]
        ),
        (
            app(##"[{"/": 1, "?": 2, "#": null, "exclude": "true", "comment": []}, {"exclude": true}]"##),
            [
                "android.components[0].comment", "android.components[0]./", "android.components[0].?",
                "android.components[0].#", "android.components[0].exclude", "android.components[1]",
            ]
        ),
        (
            app(##"[{"/": "", "#": ""}, {"?": {}}, {"?": "a=b"}, {"?": {"a": "", "b": true}}, {"?": {"": "1"}}]"##),
            [
                "android.components[0]./", "android.components[0].#", "android.components[1].?",
                "android.components[2].?", "android.components[3].?.a", "android.components[3].?.b",
                #"android.components[4].?[""]"#,
            ]
        ),
        // Apple's alone.
        (
            app(#"[{"/": "*", "caseSensitive": false, "percentEncoded": true}]"#),
            ["android.components[0].caseSensitive", "android.components[0].percentEncoded"]
        ),
        (#"{"apps": [], "components": [{"/": "*"}]}"#, ["android.apps"]),
        (
            #"{"apps": [{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": [{"/": "*"}]}, "#
                + #"{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": [{"/": 1}]}]}"#,
            ["android.apps[1].components[0]./", "android.apps[1].components"]
        ),
    ]

    private static func app(_ components: String) -> String {
        #"{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"], "components": \#(components)}"#
    }

    @Test(arguments: android)
    func locatesEveryProblemOfAndroid(android: String, fields: [String]) throws {
        #expect(try wrongFields(#"{"android": \#(android)}"#) == fields)
    }

    @Test func namesProblemsOfBothPlatformsAtOnce() throws {
        let document = #"{"ios": {"appIDs": ["x"]}, "android": {"package": "x"}, "templates": 7, "other": null}"#
        #expect(try wrongFields(document) == ["ios.appIDs[0]", "android.package"])
    }

    @Test func saysWhatStandsInTheWrongPlace() throws {
        let reading = try read(#"{"ios": {"appIDs": ["A1.b"], "components": [{"/": 1, "exlude": true}]}}"#)
        guard case .problems(let problems) = reading else {
            Issue.record("taken: \(reading)")
            return
        }
        #expect(
            problems.map(\.description) == [
                "ios.components[0].exlude is unknown; "
                    + "allowed are /, ?, #, exclude, comment, caseSensitive, percentEncoded",
                "ios.components[0]./ must be a string, not a number",
            ])
    }

    @Test(arguments: [
        (#"a\nb"#, #"ios.components[0]["a\nb"]"#), ("", #"ios.components[0][""]"#), ("é", #"ios.components[0]["?"]"#),
        ("a b", #"ios.components[0]["a b"]"#), (#"\u001b[2J"#, #"ios.components[0]["\u001b[2J"]"#),
        (String(repeating: "x", count: 65), #"ios.components[0]["\#(String(repeating: "x", count: 64))"]"#),
        // Looks like a letter of an allowed name and is another.
        (#"e\u0445clude"#, #"ios.components[0]["e?clude"]"#),
    ])
    func keepsPlacesOnOneLine(name: String, field: String) throws {
        #expect(try wrongFields(#"{"ios": {"appIDs": ["A1.b"], "components": [{"\#(name)": 1}]}}"#) == [field])
    }

    @Test func namesABoundedNumberOfProblems() throws {
        let elements = Array(repeating: "1", count: 100_000).joined(separator: ",")
        let fields = try wrongFields(#"{"ios": {"appIDs": [\#(elements)]}}"#)
        #expect(fields.count == AssociationSource.problemLimit)
        #expect(fields.last == "ios.appIDs[\(AssociationSource.problemLimit - 1)]")
    }
}
