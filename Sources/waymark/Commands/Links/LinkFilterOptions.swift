import ArgumentParser
import WaymarkAPI
import WaymarkLinks

/// The conditions of the list of links, which also select links to change.
struct LinkFilterOptions: ParsableArguments {
    @Option(name: .long, help: "Only of this application.")
    var app: String?

    @Option(name: .long, help: "Only of this domain.")
    var domain: String?

    @Option(name: .long, help: "Only with this tag.")
    var tag: String?

    @Option(name: .long, help: "Only in this folder or below it.")
    var folder: String?

    @Option(name: .long, help: "Only of this campaign.")
    var campaign: String?

    @Option(name: .long, help: "Only with this managedBy: the owner's name, as waymark apply sets it.")
    var managedBy: String?

    @Option(name: .long, help: "Only active, scheduled, expired, exhausted or disabled ones.")
    var state: String?

    @Option(
        name: .long,
        help: """
            Only with words that begin so in slug, \(LinkLabel.names), route, destination or tags; or a link's URL.
            """)
    var search: String?

    @Option(name: .long, help: "Only with this text in slug, \(LinkLabel.names), route or destination.")
    var query: String?

    /// Names and values as in the API.
    ///
    /// - Throws: `CommandFailure` for a state that links don't have.
    func conditions() throws -> [(String, String?)] {
        try CommandFailure.check(state, of: "--state", LinkState.all.map(\.rawValue))
        return [
            ("app", app), ("domain", domain), ("tag", tag), ("folder", folder), ("campaign", campaign),
            ("managedBy", managedBy), ("state", state), ("search", search), ("query", query),
        ]
    }
}
