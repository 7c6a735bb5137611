package import WaymarkLinks

/// What apps did with a link on a day, with what the link is.
package struct ShippedActivity: Sendable, Equatable {
    package var activity: DailyActivity
    package var application: ApplicationID
    package var domain: HostName
    package var slug: String

    package init(activity: DailyActivity, application: ApplicationID, domain: HostName, slug: String) {
        self.activity = activity
        self.application = application
        self.domain = domain
        self.slug = slug
    }
}

extension SQLStore {
    package func dailyActivity(
        after key: DailyActivity.Key?, limit: Int
    ) async throws(StoreError) -> [ShippedActivity] {
        // No join: the rows are read in the order of their key, whatever the database knows of the tables' sizes.
        let page = SQLStatement(
            """
            SELECT link, day, opens, installs, resolves, redeems, claims, android_install_events, android_installs,
                (SELECT name FROM link JOIN application ON application.number = link.application
                    WHERE link.id = link_activity.link),
                (SELECT name FROM link JOIN host ON host.number = link.host WHERE link.id = link_activity.link),
                (SELECT slug FROM link WHERE link.id = link_activity.link)
            FROM link_activity
            WHERE (link, day) > ($1, $2) AND EXISTS (SELECT 1 FROM link WHERE link.id = link_activity.link)
            ORDER BY link, day LIMIT $3
            """, .number(key?.link.rawValue ?? .min), .number(key?.day ?? .min), .number(limit))
        return try await read(as: nil, on: .background, page) { row in
            ShippedActivity(
                activity: DailyActivity(
                    link: LinkID(rawValue: try row.number(0)), day: Int(try row.number(1)),
                    counts: LinkActivity(values: try (2...8).map { try row.count($0) })),
                application: try row.present(ApplicationID(row.text(9))),
                domain: try row.present(HostName(row.text(10))), slug: try row.unicode(11))
        }
    }

    package func dailyConversions(
        after key: ConversionKey, limit: Int
    ) async throws(StoreError) -> [ArchivedConversions] {
        let page = SQLStatement(
            """
            SELECT day, link, campaign, name, currency, count, whole, micros, scale FROM conversion
            WHERE application = (SELECT number FROM application WHERE application.name = $1)
                AND (day, link, campaign, name, currency) > ($2, $3, $4, $5, $6)
            ORDER BY day, link, campaign, name, currency LIMIT $7
            """, .text(key.application.text), .number(key.day), .number(key.link.rawValue), .unicode(key.campaign),
            .unicode(key.name), .unicode(key.currency), .number(limit))
        return try await read(as: nil, on: .background, page) { row in
            ArchivedConversions(
                key: ConversionKey(
                    application: key.application, day: Int(try row.number(0)),
                    link: LinkID(rawValue: try row.number(1)), campaign: try row.unicode(2),
                    name: try row.unicode(3), currency: try row.unicode(4)),
                total: ConversionTotal(
                    count: try row.count(5),
                    sum: Money(whole: try row.number(6), micros: try row.number(7), scale: try row.count(8))))
        }
    }

    package func countedApplications() async throws(StoreError) -> [ApplicationID] {
        let names = SQLStatement("SELECT name FROM application ORDER BY number")
        return try await read(as: nil, on: .background, names) { try $0.present(ApplicationID($0.text(0))) }
    }
}
