import ArgumentParser
import Testing

@testable import waymark

/// The tree of commands.
@Suite struct CommandOptionsTests {
    private static var commands: [any ParsableCommand.Type] {
        var all: [any ParsableCommand.Type] = [Waymark.self]
        var next = 0
        while next < all.count {
            all += all[next].configuration.subcommands
            next += 1
        }
        return all
    }

    /// In a debug build ArgumentParser ends the process at a command with two options of one name. A release build ignores the second
    /// one without a word.
    @Test func everyCommandPrintsItsHelp() {
        #expect(Self.commands.count > 60)
        for command in Self.commands {
            #expect(command.helpMessage().contains("USAGE"), "\(command)")
        }
    }
}
