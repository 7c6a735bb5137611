import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `GET /api/v1/clicks`: the clicks on all links that the key may see.
enum ClickReportHandler {
    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let asOf = site.now
        let parameters = try ClickReportParameters(call, now: asOf)
        let report = try await ReportTurn.run(call, site) {
            try await Self.report(parameters, asOf: asOf, call, site)
        }
        return parameters.isTable ? .table(report.csv) : .json(.ok, report.json)
    }

    /// As JSON, for a call whose query has no format.
    static func document(_ call: Call, _ site: Site) async throws -> [UInt8] {
        let asOf = site.now
        let parameters = try ClickReportParameters(call, now: asOf)
        return try await ReportTurn.run(call, site) { try await report(parameters, asOf: asOf, call, site).json }
    }

    private static func report(
        _ parameters: ClickReportParameters, asOf: Timestamp, _ call: Call, _ site: Site
    ) async throws -> ClickReportResponse {
        let end = site.service.reportsEnd
        let (query, areLinksKnown) = try await query(parameters, call, site)
        guard let report = try await site.service.report(query, until: end) else { throw tooMany }
        var response = ClickReportResponse(report, query, parameters, asOf: asOf)
        if !areLinksKnown { response.isComplete = false }
        for top in query.top {
            if top == .unknown || top == .probes {
                let addresses = try await site.service.unknownAddresses(query, probes: top == .probes)
                response.top.append(.values(name: top.rawValue, addresses.map { .init($0) }))
            } else if let field = top.field {
                assert(query.countedFields.contains(field))
                response.top.append(.values(name: top.rawValue, (report.top[top] ?? []).map { .init($0) }))
            } else {
                response.top.append(.links(try await links(report.links, site)))
            }
        }
        if let comparison = parameters.compare {
            var earlier = query
            earlier.boundaries = parameters.compared(comparison, now: asOf)
            earlier.interval = .total
            earlier.by = []
            earlier.top = []
            guard let compared = try await site.service.report(earlier, flushes: false, until: end) else {
                throw tooMany
            }
            response.isComplete = response.isComplete && compared.isComplete
            response.compared = ClickReportResponse.Comparison(
                from: Timestamp(seconds: earlier.seconds.lowerBound).rfc3339,
                to: Timestamp(seconds: earlier.seconds.upperBound).rfc3339, total: .init(compared.count),
                visitors: compared.visitors)
        }
        return response
    }

    private static let tooMany = Problem(invalid: [
        FieldProblem(
            field: "from",
            problem:
                "needs more than \(LinkService.reportRecordLimit) click records, or more than \(LinkService.reportByteLimit >> 20) MiB of totals; ask for a shorter time, or for fewer fields"
        )
    ])

    /// The query, and whether all links that it names exist.
    private static func query(
        _ parameters: ClickReportParameters, _ call: Call, _ site: Site
    ) async throws -> (ClickReportQuery, areLinksKnown: Bool) {
        var areLinksKnown = true
        let known = site.service.applications.directory.current.stored
        let visible = known.filter { call.reach.contains($0) }
        let asked = parameters.applications.map { Set($0) }
        var query = ClickReportQuery(
            boundaries: parameters.boundaries, interval: parameters.interval,
            applications: visible.filter { asked?.contains($0) ?? true }, domains: parameters.domains,
            filter: parameters.filter, by: parameters.by, top: parameters.top)
        guard !parameters.links.isEmpty || !parameters.tags.isEmpty else { return (query, true) }
        var selected: [Set<LinkID>] = []
        if !parameters.links.isEmpty {
            var links: Set<LinkID> = []
            for (domain, slug) in parameters.links {
                if let link = try await LinkLookup.find(domain: domain, slug: slug, call, site) {
                    links.insert(link.id)
                } else {
                    areLinksKnown = false
                }
            }
            selected.append(links)
        }
        if !parameters.tags.isEmpty {
            guard let links = try await site.service.linkIDs(taggedWithAnyOf: parameters.tags, in: query.applications)
            else {
                throw Problem(invalid: [
                    FieldProblem(
                        field: "tag",
                        problem: "is on more than \(LinkService.reportLinkLimit) links; ask for fewer at a time")
                ])
            }
            selected.append(links)
        }
        query.links = selected.dropFirst().reduce(selected[0]) { $0.intersection($1) }
        if asked != nil || query.domains != nil {
            query.links = try await site.service.links(
                query.links ?? [], in: query.applications, domains: query.domains)
            query.domains = nil
        }
        return (query, areLinksKnown)
    }

    /// The first ones that exist.
    private static func links(
        _ counts: [(id: LinkID, count: ClickCount)], _ site: Site
    ) async throws -> [ClickReportResponse.Link] {
        var links: [ClickReportResponse.Link] = []
        for (id, count) in counts {
            guard links.count < ClickReportQuery.topLimit else { break }
            guard let link = try await site.service.find(id) else { continue }
            links.append(
                ClickReportResponse.Link(
                    domain: link.domain.text, slug: link.slug.text, title: link.content.title, count: .init(count)))
        }
        return links
    }
}

extension ClickReportResponse {
    fileprivate init(
        _ report: ClickReport, _ query: ClickReportQuery, _ parameters: ClickReportParameters, asOf: Timestamp
    ) {
        let fields = query.by.map(\.name)
        self.init(
            from: Timestamp(seconds: query.seconds.lowerBound).rfc3339,
            to: Timestamp(seconds: query.seconds.upperBound).rfc3339, interval: query.interval.rawValue,
            timeZone: parameters.days.name, asOf: asOf.rfc3339, isComplete: report.isComplete, by: fields,
            total: Count(report.count), visitors: report.visitors,
            series: report.points.map { point in
                Interval(
                    start: point.start.rfc3339,
                    localStart: query.interval == .day
                        ? parameters.days.date(ofDayFrom: point.start.seconds)
                        : parameters.days.localTime(ofSecond: point.start.seconds),
                    count: Count(point.count), visitors: point.visitors,
                    by: zip(fields, point.values).map { field, values in
                        Values(
                            field: field, values: values.values.map { Value($0) }, rest: values.rest.map { Count($0) })
                    })
            })
    }
}

extension ClicksResponse.Value {
    fileprivate init(_ value: ClickSeries.Value) { self.init(value: value.value, count: .init(value.count)) }
}
