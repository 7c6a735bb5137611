import ArgumentParser
import Testing
import WaymarkAPI
import WaymarkJSON

@testable import waymark

@Suite struct LinkLabelOptionsTests {
    @Test(arguments: LinkLabel.all)
    func eachLabelHasAFlag(label: LinkLabel) throws {
        let options = try LinkLabelOptions.parse(["--\(label == .managedBy ? "managed-by" : label.text)", "x"])
        var members = JSONObject()
        options.add(to: &members)
        #expect(members.members.map(\.name) == [label.text] && members[label.text] == "x")
    }
}
