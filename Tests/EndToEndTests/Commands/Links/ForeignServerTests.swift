import Foundation
import Testing
import WaymarkTestSupport

extension EndToEnd {
    /// What commands say where `--url` is not a Waymark server.
    @Suite struct ForeignServerTests {
        private static func page(_ status: Int) -> FakeService.Answer {
            .text("HTTP/1.1 \(status) X\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>a")
        }

        private func errors(_ command: [String], _ answer: FakeService.Answer) throws -> String {
            let installation = try Installation()
            let server = try FakeService { _, _ in answer }
            let file = installation.folder.appendingPathComponent("links.json")
            let text = """
                {"applications": [\(Shop.application())], "links": [{"slug": "x", "urls": {"web": "https://a.example/"},
                  "expect": [{"as": "linux", "leadsTo": "https://a.example/"}]}]}
                """
            try Data(text.utf8).write(to: file)
            let run = try installation.run(command + ["--url", server.url, "--key", Installation.adminKey])
            #expect(run.end == .exit(command[0] == "test" ? 2 : 1) && run.output.isEmpty, "\(run)")
            return run.errors.replacing(server.url, with: "URL")
        }

        @Test(
            arguments: ["plan", "apply", "test"],
            [.json("{}"), .json("[]"), page(200), page(404), .json("", status: 404)])
        func `links as code name a server that is not Waymark`(command: String, answer: FakeService.Answer) throws {
            #expect(
                try errors([command, "links.json"], answer)
                    == "waymark: URL answers, but not as Waymark does; give the address of the server's API\n")
        }

        @Test(arguments: ["plan", "apply", "test"])
        func `links as code name a key that is not known`(command: String) throws {
            let answer = FakeService.Answer.json(#"{"type": "unauthorized", "title": "Unauthorized"}"#, status: 401)
            #expect(try errors([command, "links.json"], answer).contains("URL does not know this key"))
        }

        @Test func `other commands name a server that is not Waymark`() throws {
            #expect(try errors(["links", "list"], Self.page(200)).contains("URL answers, but not as Waymark does"))
        }

        @Test(arguments: [403, 502]) func `a proxy that refuses is named`(status: Int) throws {
            let errors = try errors(["plan", "links.json"], Self.page(status))
            #expect(errors.contains("URL: the server answered \(status)"))
        }
    }
}
