import ArgumentParser
import WaymarkAPI
import WaymarkJSON

/// The texts of a link for its owners, each a flag of `waymark links create` and `update`.
struct LinkLabelOptions: ParsableArguments {
    @Option(name: .long, help: "A name for lists; visitors never see it.")
    var title: String?
    @Option(name: .long, help: "Remarks for colleagues; visitors never see them.")
    var note: String?
    @Option(
        name: .long,
        help: ArgumentHelp("Where to file the link, such as campaigns/spring; never public.", valueName: "path"))
    var folder: String?
    @Option(name: .long, help: "Who keeps the link, as waymark apply sets it; an empty one frees the link.")
    var managedBy: String?

    subscript(label: LinkLabel) -> String? {
        switch label {
        case .title: title
        case .note: note
        case .folder: folder
        case .managedBy: managedBy
        default: nil
        }
    }

    /// - Parameter value: what a given text becomes.
    func add(to members: inout JSONObject, _ value: (String) -> JSONValue = { JSONValue($0) }) {
        for label in LinkLabel.all { members[label.text] = self[label].map(value) }
    }
}
