package import WaymarkLinks

extension LinkHistoryEntry.Former {
    /// Nil where values are not stored, or are damaged: one change must not hide the others.
    package init?(slug: String?, content: [UInt8]?) {
        guard let slug = slug.flatMap({ Slug($0) }), let content = content.flatMap({ try? LinkContentCodec.decode($0) })
        else { return nil }
        self.init(slug: slug, content: content)
    }
}
