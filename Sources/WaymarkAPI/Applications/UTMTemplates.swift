package import WaymarkJSON

/// Campaigns with names, to fill the `campaign` of links with: body and response of `/api/v1/apps/{id}/utm-templates`.
package struct UTMTemplates: Sendable, Hashable {
    package static let limit = 100

    package var templates: [UTMTemplate] = []

    package init() {}

    package static let members = MemberTable<UTMTemplates> {
        Member(
            "templates", .objects(UTMTemplate.members, atMost: UTMTemplates.limit) { UTMTemplate() },
            required: \.templates)
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: UTMTemplates?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = UTMTemplates()
            members.read(&reader, into: &request)
            return request
        }
    }

    package var json: [UInt8] { JSONWriter.text { Self.members.write(self, to: &$0) } }
}

package struct UTMTemplate: Sendable, Hashable {
    /// In characters (Unicode scalars, as JSON Schema counts them).
    package static let nameLimit = 64

    package var name = ""
    package var campaign = CampaignRequest()

    package init() {}

    package static let members = MemberTable<UTMTemplate> {
        Member("name", .text, required: \.name)
        Member("campaign", .object(CampaignRequest.members) { CampaignRequest() }, required: \.campaign)
    }
}
