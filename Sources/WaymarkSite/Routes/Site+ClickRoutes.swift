import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkStores

extension Site {
    /// Clicks, what apps did after them, and conversions.
    static let clickRoutes: [SiteRoute] = [
        .api(
            .get, "/api/v1/links/{domain}/{slug}/clicks", .read, query: ClicksParameters.parameters, compressible: true,
            limit: .statistics, ClicksHandler.answer,
            APIOperation(
                "countClicks", .links, "Count a link's clicks",
                """
                From the records of single clicks, which are kept as long as the operator says \
                (`clicks.retentionDays`) and no longer than the link. Clicks up to the request are counted. Clicks of \
                those who ask not to be followed (`DNT`, `Sec-GPC`) are counted to the hour, and have no value in any \
                field but `bot`. One request looks at no more than 1,000,000 records: beyond that, 422 asks for a \
                shorter time.
                """,
                [
                    .json(
                        200, "ClicksAnswer",
                        """
                        The clicks, interval by interval, those without any included. As a table (RFC 4180) there is a \
                        line for each interval, or with `by` for each value of each interval: `(none)` for clicks \
                        without one, `(rest)` for those of all further values. `start` is the date of a day, or the \
                        time of an hour. What a spreadsheet would take for a formula begins with an apostrophe.
                        """,
                        or: .text("text/csv")),
                    404,
                ])),
        .api(
            .post, "/api/v1/links/{domain}/{slug}:rehearse", .read, body: .json, limit: .statistics,
            LinkRehearsalHandler.answer,
            APIOperation(
                "rehearseLink", .links, "Say what a patch would have done to a link's clicks",
                """
                Decides the recorded clicks of people on whole days (UTC) before today as if the link had been patched. \
                Changes nothing. What records don't hold, such as the query, can't be decided. One \
                request looks at no more than 1,000,000 records: beyond that, 422 asks for fewer days.
                """,
                body: "LinkRehearsalBody",
                [.json(200, "LinkRehearsal", "The clicks, by how they ended and would have ended."), 404])),
        .api(
            .post, "/api/v1/links/{domain}/{slug}:verify", .links, limit: .statistics, VerifyHandler.answer,
            APIOperation(
                "verifyLink", .links, "Walk a link now",
                """
                Decides visits as iPhone, iPad, Android, desktop, in-app browser and crawler, and asks the destinations \
                whether they answer. A fault breaks the link once a second walk finds it too, `verification.secondLook` \
                later: until then the state is `unknown`.
                """,
                [.json(200, "LinkVerification", "What the walk found."), 404, 410])),
        .api(
            .get, "/api/v1/links/{domain}/{slug}/events", .read, query: ActivityHandler.parameters, compressible: true,
            limit: .statistics, ActivityHandler.answer,
            APIOperation(
                "countEvents", .links, "Count what apps did with a link",
                """
                By day in UTC, days without anything included. Counted since version 0.2.0; a crash of the server \
                loses at most the last second.
                """,
                [.json(200, "ActivityAnswer", "The counts, day by day."), 404])),
        .api(
            .get, "/api/v1/clicks", .read, query: ClickReportParameters.parameters, compressible: true,
            limit: .statistics, ClickReportHandler.answer,
            APIOperation(
                "reportClicks", .links, "Count the clicks on all links",
                """
                Counts the clicks on all links that the key may see. Without a filter, with a filter on one field or \
                on domains, and with `by`, totals are read, which are kept longer than records \
                (`clicks.totalsRetentionDays`). Everything else reads records, at most 1,000,000 in one request; \
                beyond that, 422 asks for a shorter time. Totals of applications include clicks on links that have \
                been deleted since; `link`, `tag` and `top=links` do not.
                """,
                [
                    .json(
                        200, "ClickReport",
                        """
                        The clicks by interval, including intervals without any. CSV (RFC 4180) has a line for each \
                        interval, for each value of each field in `by`, or for each entry of one list of `top`. \
                        `start` is in the zone: the date of a day, the time of an hour with its offset. Text that a \
                        spreadsheet would run as a formula gets an apostrophe in front.
                        """,
                        or: .text("text/csv"))
                ])),
        .api(
            .get, "/api/v1/clicks/live", .read, limit: .statistics, LiveClicksHandler.answer,
            APIOperation(
                "watchClicks", .links, "Watch clicks as they come",
                """
                Server-sent events: one for each second with clicks on links that the key may see, counted by all \
                servers, without data of visitors. A comment follows 15 seconds without one. The stream ends after an \
                hour, when the key is revoked or the session ends, and when the server stops; clients of server-sent \
                events connect again by themselves. A server has 32 streams at most, a key 4 of them (429).
                """,
                [
                    .text(
                        200, "text/event-stream",
                        """
                        The stream. The data of each event is JSON: the end of the second, and the links, those with \
                        the most clicks of people first, at most 500.
                        """,
                        example: """
                            data: \
                            {"at":"2026-11-21T10:00:00Z","links":[{"domain":"go.example.com","slug":"sale","people":2,"bots":1}]}\n\n
                            """)
                ])),
        .api(
            .get, "/api/v1/conversions", .read, query: ConversionReportHandler.parameters, compressible: true,
            limit: .statistics, ConversionReportHandler.answer,
            APIOperation(
                "sumConversions", .links, "Count and sum conversions",
                """
                Days are of UTC. Sums are exact decimals. `count` and `sums` are of all conversions, `fromApps` of \
                those that keys without the scope `links` reported; if an app and a back end report the same order, it \
                counts twice.
                """,
                [.json(200, "Conversions", "At most 10,000 groups.")])),
        .api(
            .get, "/api/v1/reports", .read, adminOnly: true, SharedReportListHandler.answer,
            APIOperation(
                "listSharedReports", .links, "List shared reports",
                "Those that the key or person shares; for administrators of all applications, everybody's.",
                [.json(200, "SharedReportList", "The newest first.")])),
        .api(
            .post, "/api/v1/reports", .read, body: .json(limit: 16_384), adminOnly: true, limit: .create,
            ReportSharingHandler.answer,
            APIOperation(
                "shareReport", .links, "Share a report on clicks by a link",
                """
                Everybody who has the link may read this one report, and nothing else, until it expires, is ended, or \
                the key or person that shares it may not read the clicks any more.
                """,
                body: "SharedReportBody", [.json(201, "SharedReport", "With the link, shown this once.")])),
        .api(
            .delete, "/api/v1/reports/{id}", .read, adminOnly: true, SharedReportEndHandler.answer,
            APIOperation(
                "endSharedReport", .links, "End a shared report",
                [.empty(204, "The link shows nothing any more."), 404])),
        .session(
            .post, "/_/report", .sharedReport,
            APIOperation(
                "readSharedReport", .links, "Read a shared report",
                "Needs no key: the token of the link is enough. Needs TLS as `POST /_/session` does.",
                body: "SharedReportToken", [.json(200, "SharedReportClicks", "The report as it is now.")])),
    ]
}
