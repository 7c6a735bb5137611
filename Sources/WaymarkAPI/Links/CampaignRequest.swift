/// The values of the `utm_*` parameters added to web destinations.
public struct CampaignRequest: Sendable, Hashable {
    public var source: String?
    public var medium: String?
    public var name: String?
    public var term: String?
    public var content: String?

    public init(
        source: String? = nil, medium: String? = nil, name: String? = nil, term: String? = nil,
        content: String? = nil
    ) {
        self.source = source
        self.medium = medium
        self.name = name
        self.term = term
        self.content = content
    }

    package static let members = MemberTable<CampaignRequest> {
        Member("source", .text, \.source, .isNullable)
        Member("medium", .text, \.medium, .isNullable)
        Member("name", .text, \.name, .isNullable)
        Member("term", .text, \.term, .isNullable)
        Member("content", .text, \.content, .isNullable)
    }
}
