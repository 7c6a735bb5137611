import Testing
import WaymarkAssociation

/// Files with one fault each, as people write them, and the finding that names it.
@Suite struct BrokenFileTests {
    struct Broken: Sendable, CustomTestStringConvertible {
        let code: LintRule
        let text: String
        let line: Int?
        let column: Int?
        let pointer: String?

        init(_ code: LintRule, _ text: String, _ line: Int? = nil, _ column: Int? = nil, pointer: String? = nil) {
            self.code = code
            self.text = text
            self.line = line
            self.column = column
            self.pointer = pointer
        }

        var testDescription: String { "\(code.rawValue): \(text.prefix(60))" }
    }

    /// One entry for one app, with these members.
    private static func entry(_ members: String) -> String {
        #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], \#(members)}]}}"#
    }

    private static func rule(_ members: String, _ links: String = "") -> String {
        #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{\#(members)}]}]\#(links)}}"#
    }

    private static func app(_ id: String) -> String {
        #"{"applinks": {"details": [{"appIDs": ["\#(id)"], "components": [{"/": "/*"}]}]}}"#
    }

    static let notJSON: [Broken] = [
        Broken(.jsonEmpty, " \n"),
        Broken(.jsonHTML, "<!doctype html>\n<title>404</title>", 1, 1),
        Broken(.jsonCurlyQuote, "{\n  “applinks”: {}\n}", 2, 3),
        Broken(.jsonCurlyQuote, "{\"applinks\": {\"details\": []},\n \"x\": \"y”\n}", 2, 9),
        Broken(.jsonSingleQuote, "{'applinks': {}}", 1, 2),
        Broken(.jsonOpenString, "{\n \"applinks: {}\n}", 2, 2),
        Broken(.jsonComment, "{\n  // the app\n  \"applinks\": {}}", 2, 3),
        Broken(.jsonComment, "{\"applinks\": /* none */ {}}", 1, 14),
        Broken(.jsonTrailingComma, "{\"applinks\": {\"details\": [1,]}}", 1, 28),
        Broken(.jsonTrailingComma, "{\"applinks\": {},\n}", 1, 16),
        Broken(.jsonMissingComma, "{\"applinks\": {} \"webcredentials\": {}}", 1, 16),
        Broken(.jsonMissingBracket, "{\n \"applinks\": {\n  \"details\": [\n  ]\n}\n", 5, 1),
        Broken(.jsonMissingBracket, "{\"applinks\": {\"details\": [{ ]}}", 1, 29),
        Broken(.jsonExtraBracket, "{\"applinks\": {}}}", 1, 17),
        Broken(
            .jsonNotOutside,
            "{\"applinks\": {\"details\": [{\"appID\": \"ABCDE12345.a.b\", \"paths\": [NOT \"/x\"]}]}}", 1, 65),
        Broken(.jsonWord, "{\"applinks\": {\"details\": [{\"exclude\": True}]}}", 1, 39),
        Broken(.jsonInvisible, "{\u{A0}\"applinks\": {}}", 1, 2),
        Broken(.jsonMoreText, "{} {}", 1, 4),
        Broken(.jsonEscape, #"{"applinks": "\*"}"#, 1, 15),
        Broken(.jsonSyntax, "{applinks: {}}", 1, 2),
        Broken(.jsonControlCharacter, "{\"applinks\": \"a\tb\"}", 1, 16),
        Broken(.jsonRepeatedMember, #"{"applinks": {}, "applinks": {}}"#, 1, 18),
        Broken(.jsonByteOrderMark, "\u{FEFF}{\"applinks\": {}}"),
    ]

    static let entries: [Broken] = [
        Broken(.rootType, "7", 1, 1),
        Broken(.noService, #"{"links": {}}"#),
        Broken(.memberMisspelt, #"{"applink": {}}"#, 1, 2, pointer: "/applink"),
        Broken(.wrongType, #"{"applinks": []}"#, 1, 14, pointer: "/applinks"),
        Broken(.detailsMissing, #"{"applinks": {}}"#),
        Broken(.detailsByApp, #"{"applinks": {"details": {"ABCDE12345.com.example.app": {"paths": ["*"]}}}}"#),
        Broken(
            .appsNotEmpty, #"{"applinks": {"apps": ["x"], "details": [{"appID": "ABCDE12345.a.b", "paths": ["*"]}]}}"#),
        Broken(
            .appMissing, #"{"applinks": {"details": [{"components": [{"/": "/*"}]}]}}"#, pointer: "/applinks/details/0"),
        Broken(.appIDsEmpty, #"{"applinks": {"details": [{"appIDs": [], "components": [{"/": "/*"}]}]}}"#),
        Broken(.appIDIgnored, entry(#""appID": "ABCDE12345.com.example.app", "components": [{"/": "/*"}]"#)),
        Broken(.appIDShape, app("ABCDE12345")), Broken(.appIDShape, app("abcde12345.com.example.app")),
        Broken(.appIDPlaceholder, app("<TEAM_ID>.com.example.app")),
        Broken(.appIDStoreNumber, app("900010506.com.example.app")),
        Broken(.appIDWithoutPrefix, app("com.example.app")), Broken(.appIDWildcard, app("ABCDE12345.com.example.*")),
        Broken(.appIDPrefixLength, app("ABCD1234.com.example.app")),
        Broken(.rulesMixed, entry(#""paths": ["*"], "components": [{"/": "/*"}]"#)),
        Broken(.rulesMissing, entry(#""defaults": {}"#)), Broken(.rulesEmpty, entry(#""components": []"#)),
        Broken(.memberMisspelt, entry(#""component": [], "components": [{"/": "/*"}]"#)),
    ]

    static let rules: [Broken] = [
        Broken(
            .exclusionUnreachable, entry(#""components": [{"/": "/*"}, {"/": "/e/*", "exclude": true}]"#),
            pointer: "/applinks/details/0/components/1"),
        Broken(
            .exclusionUnreachable, entry(#""components": [{"/": "/a/*"}, {"/": "/a/?/b", "exclude": true}]"#)),
        Broken(.exclusionUnreachable, entry(#""paths": ["*", "NOT /e/*"]"#)),
        Broken(.ruleUnreachable, entry(#""components": [{"/": "/a/*"}, {"/": "/a/b"}]"#)),
        Broken(
            .ruleUnreachable, entry(#""components": [{"?": {"a": "?*"}}, {"/": "/x/*", "?": {"b": "1", "a": "42"}}]"#)),
        Broken(
            .everythingExcluded, entry(#""components": [{"/": "*", "exclude": true}, {"/": "/path1"}]"#)),
        Broken(.queryInPath, entry(#""paths": ["/app?id=*"]"#)), Broken(.queryInPath, rule(#""/": "/app?id=5""#)),
        Broken(.fragmentInPath, rule(##""/": "/#/market/*""##)), Broken(.notInComponent, rule(#""/": "NOT /x""#)),
        Broken(.notMalformed, entry(#""paths": ["NOT/e/*", "*"]"#)),
        Broken(.notMalformed, entry(#""paths": ["not /e/*", "*"]"#)),
        Broken(.pathWithoutSlash, rule(#""/": "buy/*""#)), Broken(.starWithoutSlash, rule(#""/": "/buy*""#)),
        Broken(.doubleSlash, rule(#""/": "/a//b""#)), Broken(.patternNotEncoded, rule(#""/": "/café""#)),
        Broken(.patternNotEncoded, rule(#""/": "/a b""#)),
        Broken(.escapeInDecoded, rule(#""/": "/a%20b", "percentEncoded": false"#)),
        Broken(.escapeInSmallLetters, rule(#""/": "/caf%c3%a9""#)),
        Broken(.exclusionDecoded, rule(#""/": "/a", "percentEncoded": false, "exclude": true"#)),
        Broken(.queryValueType, rule(#""?": {"a": 1}"#)), Broken(.queryDemandsNothing, rule(#""?": {"a": "*"}"#)),
        Broken(.memberMisspelt, rule(#""/": "/x", "casesensitive": false"#)),
        Broken(.memberMisspelt, rule(#""path": "/x""#)), Broken(.memberMisspelt, rule(#""/": "/x", "excludes": true"#)),
        Broken(.wrongType, rule(#""/": "/x", "exclude": "true""#)), Broken(.wrongType, rule(#""/": 5"#)),
        Broken(.defaultsExclude, rule(#""/": "/x""#, #", "defaults": {"exclude": true}"#)),
        Broken(.defaultsPattern, rule(##""#": "x""##, #", "defaults": {"/": "/foo/*"}"#)),
        Broken(.variableUndefined, rule(#""/": "/$(fod)/x""#, #", "substitutionVariables": {"food": ["a"]}"#)),
        Broken(.variableOpen, rule(#""/": "/$(lang/x""#)),
        Broken(.variableName, rule(#""/": "/x""#, #", "substitutionVariables": {"a(b": ["a"]}"#)),
        Broken(.variableNested, rule(#""/": "/$(a)""#, #", "substitutionVariables": {"a": ["$(lang)"]}"#)),
        Broken(.variableEmpty, rule(#""/": "/$(a)""#, #", "substitutionVariables": {"a": []}"#)),
        Broken(.variablePredefined, rule(#""/": "/$(lang)""#, #", "substitutionVariables": {"lang": ["en"]}"#)),
        Broken(
            .appRepeated,
            #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.a.b"], "components": [{"/": "/a/*"}]}, "#
                + #"{"appIDs": ["ABCDE12345.a.b"], "components": [{"/": "/b/*"}]}]}}"#),
    ]

    private static func statement(_ target: String, _ more: String = "") -> String {
        #"[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {\#(target)}\#(more)}]"#
    }

    private static func android(_ fingerprint: String) -> String {
        statement(
            #""namespace": "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": ["\#(fingerprint)"]"#
        )
    }

    private static func dynamic(_ rules: String) -> String {
        let list = #"{"delegate_permission/common.handle_all_urls": {"dynamic_app_link_components": \#(rules)}}"#
        return statement(
            #""namespace": "android_app", "package_name": "com.example.app", "#
                + #""sha256_cert_fingerprints": ["\#(fingerprint("AB"))"]"#,
            #", "relation_extensions": \#(list)"#)
    }

    static let links: [Broken] = [
        Broken(.statementsMissing, "[]"), Broken(.statementIncomplete, #"[{"relation": []}]"#),
        Broken(.relationShape, statement("").replacing("delegate_permission/", with: "delegate/")),
        Broken(.relationUnknown, statement("").replacing("handle_all_urls", with: "handle_all_url")),
        Broken(.namespaceUnknown, statement(#""namespace": "android""#)),
        Broken(.packageShape, statement(#""namespace": "android_app", "package_name": "app""#)),
        Broken(.fingerprintMissing, statement(#""namespace": "android_app", "package_name": "com.example.app""#)),
        Broken(.fingerprintCase, android(fingerprint("ab"))),
        Broken(.fingerprintCase, android(String(repeating: "AB", count: 32))),
        Broken(.fingerprintSHA1, android(Array(repeating: "AB", count: 20).joined(separator: ":"))),
        Broken(.fingerprintBase64, android("q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=")),
        Broken(.fingerprintShape, android("XY")),
        Broken(.siteShape, statement(#""namespace": "web", "site": "https://www.example.com/x""#)),
        Broken(.sitePort, statement(#""namespace": "web", "site": "https://www.example.com:443""#)),
        Broken(.includeInsecure, #"[{"include": "http://example.com/x.json"}]"#),
        Broken(.includeMixed, #"[{"include": "https://example.com/x.json", "relation": []}]"#),
        Broken(.relationMissing, statement(#""namespace": "web", "site": "https://www.example.com""#)),
        Broken(.dynamicMalformed, dynamic("[]")), Broken(.dynamicMalformed, dynamic(#"[{"?": "a=1"}]"#)),
        Broken(.dynamicMalformed, dynamic(#"[{"/": ""}]"#)),
        Broken(.dynamicMember, dynamic(#"[{"/": "*", "caseSensitive": false}]"#)),
        Broken(.dynamicUnreachable, dynamic(#"[{"/": "*"}, {"/": "/path1"}]"#)),
        Broken(.dynamicOpenEnd, dynamic(#"[{"/": "/path1"}]"#)), Broken(.dynamicParent, dynamic(#"[{"/": "/a/*"}]"#)),
        Broken(.rootType, "{\"relation\": []}"),
    ]

    @Test(arguments: notJSON)
    func findsWhyATextIsNoJSON(broken: Broken) { check(broken, .apple) }

    @Test(arguments: entries)
    func findsWhatIsWrongWithEntries(broken: Broken) { check(broken, .apple) }

    @Test(arguments: rules)
    func findsWhatIsWrongWithRules(broken: Broken) { check(broken, .apple) }

    @Test(arguments: links)
    func findsWhatIsWrongWithAssetLinks(broken: Broken) { check(broken, .assetLinks) }

    private func check(_ broken: Broken, _ kind: AssociationKind) {
        let report = AssociationLint.lint(Array(broken.text.utf8), kind: kind)
        let finding = report.findings.first { $0.rule == broken.code }
        let codes = report.findings.map(\.rule.rawValue)
        #expect(finding != nil, "found \(codes)")
        if let line = broken.line { #expect(finding?.line == line, "\(codes)") }
        if let column = broken.column { #expect(finding?.column == column, "\(codes)") }
        if let pointer = broken.pointer { #expect(finding?.pointer == pointer) }
        #expect(finding?.problem.contains { $0.isNewline } == false)
        #expect(report.isClean == report.findings.allSatisfy { $0.rule.severity == .note })
    }

    @Test func findsWhatIsWrongWithTheFileAsAWhole() {
        let long = Self.rule(#""/": "/x", "comment": "\#(String(repeating: "a", count: 131_072))""#)
        let report = AssociationLint.lint(Array(long.utf8))
        #expect(report.findings.map(\.rule) == [.fileTooLarge])
        let near = Self.rule(#""/": "/x", "comment": "\#(String(repeating: "a", count: 128_000))""#)
        #expect(AssociationLint.lint(Array(near.utf8)).findings.map(\.rule) == [.fileLarge])
        let plain = Array(Self.rule(#""/": "/x""#).utf8)
        #expect(
            AssociationLint.lint(plain, name: "x/apple-app-site-association.json").findings.map(\.rule) == [
                .fileExtension
            ])
        #expect(AssociationLint.lint(plain, name: "x/apple-app-site-association").findings.isEmpty)
        #expect(AssociationLint.lint([0xFF, 0xFE, 0x7B, 0]).findings.map(\.rule) == [.jsonUTF16])
        #expect(AssociationLint.lint([0x7B, 0, 0x7D, 0]).findings.map(\.rule) == [.jsonUTF16])
        #expect(AssociationLint.lint([0x1F, 0x8B, 8, 0]).findings.map(\.rule) == [.jsonCompressed])
        #expect(AssociationLint.lint([0x7B, 0x22, 0xC3, 0x22, 0x7D]).findings.map(\.rule) == [.jsonNotUTF8])
        let signed: [UInt8] = [
            0x30, 0x82, 1, 0, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0,
        ]
        #expect(AssociationLint.lint(signed).findings.map(\.rule) == [.fileSigned])
        #expect(
            AssociationLint.lint(Array(String(repeating: "[", count: 100).utf8)).findings.map(\.rule) == [.jsonTooDeep])
    }

    /// One fault does not hide the next.
    @Test func namesEveryFaultOfAText() {
        let text = """
            {
              // links
              “applinks”: {
                'details': [
                  {"appIDs": ["com.example.app"], "components": [{"/": "/buy/*"},]}
                ]
            }
            """
        let report = AssociationLint.lint(Array(text.utf8))
        #expect(
            report.findings.map(\.rule) == [
                .jsonComment, .jsonCurlyQuote, .jsonSingleQuote, .appIDWithoutPrefix, .jsonTrailingComma,
                .jsonMissingBracket,
            ])
        #expect(report.findings.map(\.line) == [2, 3, 4, 5, 5, 7])
    }

    @Test(arguments: [
        entry(
            ##""components": [{"#": "nul", "exclude": true}, {"/": "/buy/*"}, {"/": "/help/w/*", "exclude": true}, {"/": "/help/*", "?": {"n": "????"}}]"##
        ),
        entry(#""components": [{"/": "/café/*", "percentEncoded": false}, {"/": "/a", "caseSensitive": false}]"#),
        rule(#""/": "/$(lang)_$(region)/$(food)/""#, #", "substitutionVariables": {"food": ["burrito", "pi?z*"]}"#),
        #"{"applinks": {"apps": [], "details": [{"appID": "ABCDE12345.com.example.app", "paths": ["NOT /e/*", "*"]}]}}"#,
        #"{"webcredentials": {"apps": ["ABCDE12345.com.example.app"]}, "appclips": {"apps": ["ABCDE12345.com.example.app.Clip"]}}"#,
        android(fingerprint("AB")), dynamic(#"[{"/": "/a"}, {"/": "/a/*"}, {"/": "*", "exclude": true}]"#),
    ])
    func `good files have no findings`(text: String) {
        let report = AssociationLint.lint(Array(text.utf8))
        #expect(report.findings.isEmpty, "\(report.text(name: "file"))")
    }
}
