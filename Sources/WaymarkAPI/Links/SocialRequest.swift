/// The contents of a link's preview.
public struct SocialRequest: Sendable, Hashable {
    public var title: String?
    public var description: String?
    public var imageURL: String?

    public init(title: String? = nil, description: String? = nil, imageURL: String? = nil) {
        self.title = title
        self.description = description
        self.imageURL = imageURL
    }

    package static let members = MemberTable<SocialRequest> {
        Member("title", .text, \.title, .isNullable)
        Member("description", .text, \.description, .isNullable)
        Member("imageURL", .text, \.imageURL, .isNullable)
    }
}
