import Testing
import WaymarkJSON

extension EndToEnd {
    /// `waymark people` on a database and on a server.
    @Suite struct PeopleCommandTests {
        @Test(arguments: CommandLocation.allCases)
        func somebodyIsInvitedDisabledAndEnabled(location: CommandLocation) throws {
            let desk = try Desk(location, hasDatabase: true)
            let invited = try desk.json("people", "invite", "--role", "admin", "--name", "Ana")
            let link = try #require(invited["link"]?.string)
            // Without a server no address is known.
            #expect(link.contains("://") == (location == .server), "\(link)")
            #expect(link.contains("/_/#invitation=wm_"), "\(link)")
            let id = try #require(invited["person"]?["id"]?.string)
            let again = try desk.run("people", "invite", "--person", id)
            #expect(again.output.contains("/_/#invitation=wm_"), "\(again)")
            let listed = try desk.run("people", "list")
            #expect(listed.output.contains("Ana") && listed.output.contains("admin of all"), "\(listed)")
            #expect(!listed.output.contains("wm_"), "the list shows an invitation")
            #expect(try desk.run("people", "disable", id).output == "disabled \(id)\n")
            #expect(try desk.json("people", "list")["people"]?.array?.first?["disabled"] == true)
            #expect(try desk.run("people", "list").output.contains("nothing: disabled"))
            #expect(try desk.run("people", "enable", id).output == "enabled \(id)\n")
            #expect(try desk.json("people", "list")["people"]?.array?.first?["disabled"] == false)
        }

        @Test(
            arguments: CommandLocation.allCases,
            [
                (["people", "invite"], 2, "give --role or --person"),
                (["people", "invite", "--role", "owner"], 1, "viewer, editor, admin"),
                (["people", "disable", "nobody"], 1, "No person has this id"),
            ])
        func whatIsWrongIsNamed(location: CommandLocation, expected: ([String], Int32, String)) throws {
            let desk = try Desk(location, hasDatabase: true)
            let run = try desk.run(expected.0)
            #expect(run.end == .exit(expected.1) && run.errorLines.count == 1, "\(run)")
            #expect(run.errors.contains(expected.2), "\(run)")
        }
    }
}
