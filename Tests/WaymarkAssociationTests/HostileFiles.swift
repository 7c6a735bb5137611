import Testing

/// Files and URLs that ask for as much work as they can, each as long as one likes.
struct HostileFile: Sendable, CustomTestStringConvertible {
    let name: String
    /// The URL that it is held against.
    var url = "https://go.example.com/aaaa/bbbb?a=1#f"
    /// Whether it has work for the simulator alone.
    var isForSimulator = false
    /// A file with so many of its parts.
    let text: @Sendable (Int) -> String

    var testDescription: String { name }

    /// A file of about so many bytes.
    func bytes(_ size: Int) -> [UInt8] {
        let (small, large) = (text(16).utf8.count, text(32).utf8.count)
        var parts = max(1, size / max(1, (large - small) / 16))
        var file = text(parts)
        while file.utf8.count > size, parts > 1 {
            parts = min(parts - 1, parts * size / file.utf8.count)
            file = text(parts)
        }
        return Array(file.utf8)
    }
}

extension HostileFile {
    private static func list(_ count: Int, _ part: (Int) -> String) -> String {
        (0..<count).map(part).joined(separator: ",")
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static func apple(_ components: String, _ links: String = "") -> String {
        #"{"applinks":{\#(links)"details":[{"appIDs":["ABCDE12345.a.b"],"components":[\#(components)]}]}}"#
    }

    private static func paths(_ paths: String, _ links: String = "") -> String {
        #"{"applinks":{\#(links)"details":[{"appID":"ABCDE12345.a.b","paths":[\#(paths)]}]}}"#
    }

    private static func android(_ rules: String) -> String {
        let relation = "delegate_permission/common.handle_all_urls"
        return #"[{"relation":["\#(relation)"],"target":{"namespace":"android_app","package_name":"a.b","#
            + #""sha256_cert_fingerprints":[]},"relation_extensions":{"\#(relation)":{"#
            + #""dynamic_app_link_components":[\#(rules)]}}}]"#
    }

    private static func root(_ count: Int) -> Int {
        var root = 1
        while (root + 1) * (root + 1) <= count { root += 1 }
        return root
    }

    static let apple: [HostileFile] = [
        HostileFile(name: "default query items beside components") { count in
            apple(list(count, { _ in "{}" }), #""defaults":{"?":{\#(list(count / 10, { #""\#($0)":"""# }))}},"#)
        },
        HostileFile(name: "a long name of a variable with many values") { count in
            let values = list(count, { _ in "0" })
            return #"{"applinks":{"substitutionVariables":{"\#(repeated("n", count))":[\#(values)]},"details":[]}}"#
        },
        HostileFile(name: "unknown variables beside known ones") { count in
            apple(
                list(count) { #"{"/":"/$(unknown\#($0))"}"# },
                #""substitutionVariables":{\#(list(count) { #""unknowm\#($0)":[]"# })},"#)
        },
        HostileFile(name: "one variable of many values in many patterns") { count in
            apple(
                list(count) { #"{"/":"/\#($0)$(v)"}"# },
                #""substitutionVariables":{"v":[\#(list(count) { #""a\#($0)""# })]},"#)
        },
        HostileFile(name: "two variables side by side, again and again") { count in
            apple(
                list(root(count)) { _ in #"{"/":"/\#(repeated("$(v)", root(count)))x"}"# },
                #""substitutionVariables":{"v":["a","aa","a*","?a"]},"#)
        },
        HostileFile(name: "one bracket missing, on one line") { "[" + list($0) { _ in "{}" } },
        HostileFile(name: "one bracket missing, a line for each") { count in
            "[\n" + repeated("{\n}\n,", count) + "[\n{\n ]"
        },
        HostileFile(name: "many commas too many") { "[" + repeated("0,,", $0) + "0]" },
        HostileFile(name: "many comments") { "[" + repeated("/**/", $0) + "]" },
        HostileFile(name: "brackets deep inside one another") { repeated("[", $0) },
        HostileFile(name: "rules that no other one covers") { count in apple(list(count) { #"{"/":"/\#($0)"}"# }) },
        HostileFile(name: "rules that differ in the middle alone") { count in
            apple(list(count) { #"{"/":"/aaaa*\#($0)*aaaa"}"# })
        },
        HostileFile(name: "rules told apart by their fragments") { count in
            apple(list(count) { ##"{"/":"*","#":"f*\##($0)*f"}"## })
        },
        HostileFile(name: "stars between letters", url: "https://go.example.com/" + repeated("a", 16_000)) { count in
            apple(list(8) { _ in #"{"/":"/\#(repeated("*a", count))b"}"# })
        },
        HostileFile(name: "long stretches of ? and letters", url: "https://go.example.com/" + repeated("ab", 8_000)) {
            count in apple(list(4) { _ in #"{"/":"*\#(repeated("?ab", count))*c"}"# })
        },
        HostileFile(name: "codes of languages", url: "https://go.example.com/" + repeated("en", 8_000)) { count in
            apple(list(count) { _ in #"{"/":"*$(lang)$(region)$(lang)x"}"# })
        },
        HostileFile(
            name: "query items against a long query",
            url: "https://x.example/?" + repeated("a=aa&", 999) + "a=b"
        ) { count in apple(list(count) { #"{"?":{"a":"*a*\#($0)"}}"# }) },
        HostileFile(name: "patterns in no case", url: "https://x.example/" + repeated("%C3%A4", 2_000)) { count in
            apple(list(count) { #"{"/":"/\#($0)*ÄÖ*é","caseSensitive":false,"percentEncoded":false}"# })
        },
        HostileFile(name: "entries for the same apps") { count in
            let apps = list(root(count)) { #""ABCDE12345.a\#($0)""# }
            let entries = list(root(count)) { _ in #"{"appIDs":[\#(apps)],"components":[{"/":"/e","exclude":true}]}"# }
            return #"{"applinks":{"details":[\#(entries)]}}"#
        },
        HostileFile(name: "details keyed by app, with paths") { count in
            let entries = list(root(count)) { app in
                #""A.b\#(app)":{"paths":[\#(list(root(count)) { #""NOT /\#($0)*x""# })]}"#
            }
            return #"{"applinks":{"details":{\#(entries)}}}"#
        },
        HostileFile(name: "empty paths under defaults") { paths(list($0) { _ in "\"\"" }, #""defaults":{"/":"*"},"#) },
        HostileFile(name: "members named twice") { "{" + list($0) { _ in #""applinks":{}"# } + "}" },
        HostileFile(name: "members that nobody knows") { "{" + list($0) { #""applink\#($0)":0"# } + "}" },
        HostileFile(name: "app clips and credentials that are no apps") { count in
            let apps = list(count) { #""com.example.\#($0)""# }
            return #"{"appclips":{"apps":[\#(apps)]},"webcredentials":{"apps":[\#(apps)]}}"#
        },
        HostileFile(name: "apps that are right") { count in
            #"{"webcredentials":{"apps":[\#(list(count) { #""ABCDE12345.com.a\#($0)""# })]}}"#
        },
        HostileFile(name: "rules of wrong types") { count in
            apple(list(count) { _ in ##"{"/":1,"?":1,"#":1,"exclude":1}"## }, #""defaults":{"?":{"a":"b"}},"#)
        },
        HostileFile(name: "escapes", url: "https://x.example/" + repeated("%41", 5_000)) { count in
            apple(list(count) { _ in #"{"/":"/%41%4a%zz%%$($("}"# })
        },
    ]

    static let android: [HostileFile] = [
        HostileFile(name: "dynamic rules with many items") { count in
            android(
                list(root(count)) { rule in
                    #"{"?":{\#(list(root(count)) { #""a\#($0)":"\#(rule)""# })}}"#
                })
        },
        HostileFile(name: "dynamic rules that no other one covers") { count in
            android(list(count) { #"{"/":"/\#($0)/*"}"# })
        },
        HostileFile(
            name: "dynamic rules with stars", url: "https://x.example/" + repeated("a", 16_000)
        ) { count in android(list(count) { #"{"/":"/*a*a*?*\#($0)"}"# }) },
        HostileFile(
            name: "dynamic rules against a long query", url: "https://x.example/?" + repeated("a=aa&", 999) + "a=b"
        ) { count in android(list(count) { #"{"?":{"a":"*b\#($0)"}}"# }) },
        HostileFile(name: "relations nearly right") { count in
            #"[{"relation":[\#(list(count) { #""delegate_permission/common.handle_all_url\#($0 % 10)""# })],"target":{}}]"#
        },
        HostileFile(name: "fingerprints") { count in
            let prints = list(count) { _ in "\"" + repeated("ab:", 31) + "ab\"" }
            return #"[{"relation":[],"target":{"namespace":"android_app","package_name":"a.b","#
                + #""sha256_cert_fingerprints":[\#(prints)]}}]"#
        },
        HostileFile(name: "includes and sites") { count in
            "["
                + list(count) {
                    #"{"include":"http://\#($0)"},{"relation":[],"target":{"namespace":"web","site":"https://a/\#($0)"}}"#
                } + "]"
        },
        HostileFile(name: "statements of one app") { count in
            let relation = "delegate_permission/common.handle_all_urls"
            return "["
                + list(count) { _ in
                    #"{"relation":["\#(relation)"],"target":{"namespace":"android_app","package_name":"a.b"},"#
                        + #""relation_extensions":{"\#(relation)":{"dynamic_app_link_components":[{"/":"/x"}]}}}"#
                } + "]"
        },
    ]

    static let all = apple + android
}
