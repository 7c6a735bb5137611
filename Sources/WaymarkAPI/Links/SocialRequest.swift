package import WaymarkJSON

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

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("title", title)
        writer.member("description", description)
        writer.member("imageURL", imageURL)
        writer.endObject()
    }

    init(reading reader: inout ObjectReader) {
        title = reader.string("title")
        description = reader.string("description")
        imageURL = reader.string("imageURL")
    }
}
