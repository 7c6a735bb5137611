#if PostgreSQL
    internal import WaymarkStores
    internal import WaymarkLinks

    /// Decodes links from the statements that return them.
    enum LinkRow {
        /// Index of the first additional column, after those of the link and its application.
        static let width = 13

        static func link(_ result: QueryResult, _ row: Int) throws(StoreError) -> Link {
            guard let application = ApplicationID(try result.text(row, 1)),
                let domain = HostName(try result.text(row, 2)), let slug = Slug(try result.text(row, 3))
            else { throw QueryResult.damaged }
            return Link(
                id: LinkID(rawValue: try result.number(row, 0)), application: application, domain: domain, slug: slug,
                content: try LinkContentCodec.decode(try result.bytes(row, 4)),
                hasMetadata: try result.number(row, 5) != 0, redeemed: try result.count(row, 6),
                clicks: try result.count(row, 7), reservedClicks: try result.count(row, 8),
                createdAt: try result.timestamp(row, 9), updatedAt: try result.timestamp(row, 10),
                version: try result.count(row, 11))
        }

        /// A link with its counts and its click limit, without the rest of its content.
        static func counted(_ result: QueryResult, _ row: Int) throws(StoreError) -> Link {
            var link = try link(result, row)
            link.content.maxClicks = try result.optionalNumber(row, width).map { Int($0) }
            return link
        }

        static func links(_ result: QueryResult) throws(StoreError) -> [Link] {
            var links: [Link] = []
            for row in 0..<result.count { links.append(try link(result, row)) }
            return links
        }
    }
#endif
