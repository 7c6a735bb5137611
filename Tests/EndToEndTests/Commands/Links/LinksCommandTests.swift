import Foundation
import Testing
import WaymarkJSON

extension EndToEnd {
    /// What people do with links from the command line: tags, QR codes, clicks, and addresses that are misspelt.
    @Suite struct LinksCommandTests {
        /// With the links `hello` and `sale`, and `hello` clicked.
        private func desk(_ location: CommandLocation) throws -> Desk {
            let desk = try Desk(location)
            _ = try desk.json("apps", "apply", desk.installation.applicationsFile.path)
            let created = try desk.run("links", "create", "https://shop.example.com/a", "hello", "--tag", "x")
            #expect(created.output == "https://go.example.com/hello\n", "\(created)")
            _ = try desk.json("links", "create", "https://shop.example.com/b", "sale")
            return desk
        }

        @Test(arguments: CommandLocation.allCases)
        func linksAreTaggedByNameAndByCondition(location: CommandLocation) throws {
            let desk = try desk(location)
            let tagged = try desk.run("links", "tag", "spring,old", "https://go.example.com/hello", "sale")
            #expect(tagged.end == .exit(0) && tagged.output == "changed 2 of 2 links\n", "\(tagged)")
            #expect(try desk.json("links", "show", "hello")["tags"] == ["x", "spring", "old"])
            let tried = try desk.run("links", "untag", "old", "--tag", "spring", "--dry-run")
            #expect(tried.output == "would change 2 of 2 links\n", "\(tried)")
            let untagged = try desk.run("links", "untag", "old", "--tag", "x")
            #expect(untagged.output == "changed 1 of 1 link\n", "\(untagged)")
            #expect(try desk.json("links", "show", "sale")["tags"] == ["spring", "old"])
            #expect(try desk.run("links", "list").output.contains("spring, old"))
            let missed = try desk.run("links", "tag", "a", "go.example.com/sale", "go.example.com/helo")
            #expect(missed.end == .exit(1) && missed.output == "changed 1 of 1 link\n", "\(missed)")
            #expect(missed.errorLines.count == 1 && missed.errors.contains("Did you mean go.example.com/hello?"))
        }

        @Test(arguments: CommandLocation.allCases)
        func aQRCodeIsAFileOrText(location: CommandLocation) throws {
            let desk = try desk(location)
            let file = desk.installation.folder.appendingPathComponent("hello.svg")
            let written = try desk.run("links", "qr", "hello", "--output", file.path, "--dark", "003366")
            #expect(written.end == .exit(0) && written.output == "wrote \(file.path)\n", "\(written)")
            let picture = try String(contentsOf: file, encoding: .utf8)
            #expect(picture.contains("<title>https://go.example.com/hello</title>") && picture.contains("#003366"))
            let again = try desk.run("links", "qr", "hello", "--output", file.path)
            #expect(again.end == .exit(2) && again.errors.contains("there already"), "\(again)")
            let png = desk.installation.folder.appendingPathComponent("a.png")
            _ = try desk.run("links", "qr", "go.example.com/hello", "-o", png.path, "--size", "256")
            #expect(try Data(contentsOf: png).starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let piped = try desk.run("links", "qr", "hello", "--format", "svg")
            #expect(piped.output.hasPrefix("<svg ") && piped.errors.isEmpty, "\(piped)")
            let text = try desk.run("links", "qr", "hello", "--format", "text").output
            #expect(text.contains("▀") && !text.contains("\u{1b}"))
            let size = try desk.run("links", "qr", "hello", "--format", "png", "--size", "1")
            #expect(size.end == .exit(1) && size.errors.contains("size"), "\(size)")
        }

        @Test func clicksAreCountedByDayAndByField() throws {
            let desk = try desk(.server)
            let server = try #require(desk.server)
            for agent in [Self.iphone, Self.iphone, "curl/8.0"] {
                _ = try server.exchange(.get("/hello", userAgent: agent))
            }
            let days = try desk.run("links", "clicks", "go.example.com/hello").output.split(separator: "\n")
            #expect(days.count == 3 && days[0].split(separator: " ") == ["DAY", "PEOPLE", "BOTS", "VISITORS"])
            #expect(days[2].split(separator: " ").prefix(3) == ["total", "2", "1"], "\(days)")
            let values = try desk.run("links", "clicks", "hello", "--by", "platform", "--where", "bot=none").output
            #expect(values.contains("iphone") && values.contains("100 %"), "\(values)")
            #expect(try desk.json("links", "clicks", "hello")["total"]?["people"] == 2)
            let table = try desk.run("links", "clicks", "hello", "--by", "platform", "--csv").output
            #expect(table.contains("iphone,2,0\r\n"), "\(table)")
            let unknown = try desk.run("links", "clicks", "helo", "--by", "platform")
            #expect(unknown.end == .exit(1) && unknown.errors.contains("Did you mean go.example.com/hello?"))
        }

        private static let iphone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            + "Version/18.0 Mobile/15E148 Safari/604.1"

        @Test(arguments: CommandLocation.allCases)
        func eachFieldIsChangedAndCleared(location: CommandLocation) throws {
            let desk = try desk(location)
            let changed = try desk.json(
                "links", "update", "hello", "--social", "title=Hello", "--campaign", "name=Spring", "--campaign",
                "term=a", "--redirect-status", "307", "--link", "ios=shop://a", "--forward-query", "false",
                "--on-expired", "https://shop.example.com/over", "--rules",
                #"[{"when": {"country": ["DE"]}, "to": "https://shop.example.com/de"}]"#)
            #expect(changed["social"]?["title"] == "Hello" && changed["redirectStatus"] == 307)
            #expect(changed["urls"]?["web"] == "https://shop.example.com/a", "other platforms stay")
            #expect(changed["rules"]?.array?.count == 1)
            let cleared = try desk.json(
                "links", "update", "hello", "--clear", "social", "--clear", "campaign.term", "--clear", "urls.ios",
                "--clear", "rules", "--clear", "on-expired", "--clear", "redirectStatus", "--clear", "tag")
            #expect(
                cleared["campaign"]?["name"] == "Spring" && cleared["campaign"]?["term"].map { $0 == .null } != false)
            #expect(cleared["urls"]?["ios"] == nil && cleared["urls"]?["web"] != nil)
            #expect(cleared["rules"].map { $0 == [] } != false && cleared["tags"] == [])
            let history = try desk.run("links", "history", "go.example.com/hello").output
            #expect(history.contains("created") && history.contains("redirectStatus"), "\(history)")
            let restored = try desk.json("links", "restore", "go.example.com/hello", "--version", "1")
            #expect(restored["campaign"]?["name"] == nil && restored["urls"]?["web"] != nil, "\(restored)")
        }

        @Test(arguments: CommandLocation.allCases)
        func eachCommandTakesEachFormOfAnAddress(location: CommandLocation) throws {
            let desk = try desk(location)
            let forms = ["https://go.example.com/hello", "go.example.com/hello", "hello", "go.example.com/hello/?a=b"]
            for form in forms {
                #expect(try desk.json("links", "show", form)["slug"] == "hello")
                #expect(try desk.json("links", "disable", form)["state"] == "disabled")
                #expect(try desk.json("links", "enable", form)["state"] == "active")
                #expect(try desk.json("links", "update", form, "--title", form)["title"] == JSONValue(form))
                #expect(try desk.json("links", "rename", form, "hello")["slug"] == "hello")
                #expect(try desk.json("links", "tag", "x", form, "--dry-run")["matched"] == 1)
                for part in ["clicks", "events", "history"] { _ = try desk.json("links", part, form) }
                #expect(try desk.run("links", "qr", form, "--format", "text").end == .exit(0))
                #expect(try desk.json("links", "resolve", form)["deeplink"] != nil)
                #expect(try desk.json("explain", form)["outcome"] != nil)
            }
            for slug in ["a", "b", "c"] { _ = try desk.json("links", "create", "https://shop.example.com/", slug) }
            for form in ["https://go.example.com/a", "go.example.com/b", "c"] {
                let deleted = try desk.run("links", "delete", form)
                #expect(deleted.end == .exit(0) && deleted.output == "deleted \(form)\n", "\(deleted)")
            }
        }

        @Test(
            arguments: CommandLocation.allCases,
            [
                ["links", "show", "helol"], ["links", "update", "go.example.com/helo", "--title", "x"],
                ["links", "delete", "https://go.exmaple.com/hello"], ["links", "disable", "Hallo"],
                ["links", "rename", "helo", "x"], ["links", "history", "helo"], ["links", "events", "hell"],
                ["links", "qr", "helo"], ["links", "resolve", "helo"],
            ])
        func aMisspeltAddressIsAnsweredWithTheNearest(location: CommandLocation, command: [String]) throws {
            let run = try desk(location).run(command)
            #expect(run.end == .exit(1) && run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains("Did you mean go.example.com/hello?"), "\(run)")
        }

        @Test func anAddressThatIsFarFromAllIsOnlyUnknown() throws {
            let run = try desk(.server).run("links", "show", "go.example.com/qqqqqqq")
            #expect(run.end == .exit(1) && !run.errors.contains("Did you mean"), "\(run)")
        }
    }
}
