import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `POST /api/v1/conversions`.
enum ConversionsHandler {
    private static let nameBytes = 100

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        let (body, shape) = ConversionsRequest.attempt(
            try ObjectReader.document(call.body, shape: ConversionsRequest.shape))
        guard let body else { throw Problem(invalid: shape) }
        var meaning: [FieldProblem] = []
        let owner = try call.owner
        let isFromApp = !call.key.may(.links)
        let conversions = body.conversions.enumerated().compactMap { index, conversion in
            read(conversion, at: "conversions[\(index)]", isFromApp: isFromApp, &meaning)
        }
        let problems = FieldProblem.merged(shape: shape, meaning: meaning)
        guard problems.isEmpty else { throw Problem(invalid: problems) }
        let outcomes = try await site.service.record(
            conversions, for: owner, isFromApp: isFromApp)
        return .json(.accepted, EventsResponse(outcomes).json)
    }

    /// An unknown link is not a problem, because the caller would send a rejected conversion again and again.
    private static func read(
        _ conversion: ConversionRequest, at path: String, isFromApp: Bool, _ problems: inout [FieldProblem]
    ) -> ReportedConversion? {
        func reject(_ field: String, _ problem: String) {
            problems.append(FieldProblem(field: "\(path).\(field)", problem: problem))
        }
        if let problem = ReportedText.problem(ofID: conversion.id) { reject("id", problem) }
        if conversion.name.isEmpty || conversion.name.utf8.count > nameBytes || conversion.name.hasControlCharacter {
            reject("name", "must be 1 to \(nameBytes) bytes without control characters")
        }
        let sources = [
            ("clickID", conversion.clickID), ("smartlink", conversion.smartlink), ("installID", conversion.installID),
        ]
        if sources.allSatisfy({ $0.1 == nil }) { reject("clickID", "is missing; give clickID, smartlink or installID") }
        for (field, text) in sources where text.map({ $0.utf8.count > 2_048 }) ?? false {
            reject(field, "must have at most 2048 bytes")
        }
        let at = Timestamp(rfc3339: conversion.at)
        if at == nil { reject("at", "must be an RFC 3339 time, such as 2026-11-21T10:00:00Z") }
        var value: (amount: Money, currency: String)?
        if let given = conversion.value {
            let amount = Money(given.amount)
            if amount == nil { reject("value.amount", Money.rule) }
            if isFromApp, let amount, amount.whole < 0 {
                reject("value.amount", "must not be negative; a refund needs a key with the scope links")
            }
            let isCurrency =
                given.currency.utf8.count == 3 && given.currency.utf8.allSatisfy { (0x41...0x5A).contains($0) }
            if !isCurrency { reject("value.currency", "must be three capital letters of ISO 4217, such as EUR") }
            if let amount, isCurrency { value = (amount, given.currency) }
        }
        guard let at else { return nil }
        let address = conversion.smartlink.flatMap { WebURL($0) }.flatMap { SmartlinkAddress($0) }
        return ReportedConversion(
            id: conversion.id, name: conversion.name, at: at, clickID: conversion.clickID,
            smartlink: address.map { ($0.host, $0.path) }, installID: conversion.installID, value: value)
    }
}

/// `GET /api/v1/conversions`: counts and exact sums.
enum ConversionReportHandler {
    static let parameters = ["from", "to", "app", "link", "campaign", "rule", "variant", "by"]
    private static let usualDays = 30

    static func answer(_ call: Call, _ site: Site) async throws -> Response {
        var reading = ClicksReading(query: call.query)
        let by =
            reading.choice("by", ConversionQuery.Dimension.allCases.map(\.rawValue))
            .flatMap { ConversionQuery.Dimension(rawValue: $0) } ?? .link
        let days = days(&reading, now: site.now)
        var applications = call.reach.applications
        if let text = reading.one("app") {
            if let id = ApplicationID(text) {
                applications = call.reach.contains(id) ? [id] : []
            } else {
                reading.reject("app", ApplicationID.rule)
            }
        }
        let campaign = reading.one("campaign")
        let rule = reading.one("rule").map { $0 == ClicksReading.none ? nil : $0 }
        let variant = reading.one("variant").map { $0 == ClicksReading.none ? nil : $0 }
        var link: (domain: HostName, slug: Slug)?
        if let text = reading.one("link") {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let domain = HostName(String(parts[0])), let slug = Slug(String(parts[1])) {
                link = (domain, slug)
            } else {
                reading.reject("link", "must be a domain and a slug, as in go.example.com/sale")
            }
        }
        guard reading.problems.isEmpty, let days else { throw Problem(invalid: reading.problems) }
        var query = ConversionQuery(
            applications: applications, days: days, campaign: campaign, rule: rule, variant: variant, by: by)
        if let link {
            guard let found = try await site.service.find(link.domain, link.slug, for: call.reach) else {
                return .json(.ok, ConversionGroupsResponse(groups: []).json)
            }
            query.link = found.id
        }
        let groups = try await site.service.conversions(query)
        return .json(.ok, ConversionGroupsResponse(groups: merged(groups, by)).json)
    }

    /// Whole days (UTC) around the time asked for.
    private static func days(_ reading: inout ClicksReading, now: Timestamp) -> Range<Int>? {
        let problems = reading.problems.count
        let start = reading.time("from") { $0 * Timestamp.secondsOfDay }
        let end = reading.time("to") { ($0 + 1) * Timestamp.secondsOfDay }
        guard reading.problems.count == problems else { return nil }
        let begin = start.map { Timestamp(seconds: $0).day }
        let last = end.map { Timestamp(seconds: $0 - 1).day } ?? max(now.day, begin ?? now.day)
        let first = begin ?? last - usualDays + 1
        guard first <= last else {
            reading.reject("from", "must be before to")
            return nil
        }
        return first..<last + 1
    }

    /// One group for each value, with a sum for each currency.
    private static func merged(
        _ groups: [ConversionGroup], _ by: ConversionQuery.Dimension
    ) -> [ConversionGroupsResponse.Group] {
        var merged: [Merged] = []
        var last: String??
        for group in groups {
            if last == nil || last != .some(group.value) {
                var value = group.value
                if by == .day { value = value.flatMap { Int64($0) }.map { date(ofDay: $0) } }
                merged.append(Merged(value: value))
                last = .some(group.value)
            }
            merged[merged.count - 1].add(group)
        }
        return merged.map(\.response)
    }

    /// The groups of one value.
    private struct Merged {
        let value: String?
        var all = Part()
        var fromApps = Part()

        struct Part {
            var count = 0
            var sums: [String: Money] = [:]

            mutating func add(_ group: ConversionGroup) {
                count += group.total.count
                guard !group.currency.isEmpty else { return }
                sums[group.currency] = sums[group.currency].map { $0 + group.total.sum } ?? group.total.sum
            }

            var response: ConversionGroupsResponse.Part {
                .init(count: count, sums: sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) })
            }
        }

        init(value: String?) { self.value = value }

        mutating func add(_ group: ConversionGroup) {
            all.add(group)
            if group.isFromApp { fromApps.add(group) }
        }

        var response: ConversionGroupsResponse.Group {
            .init(value: value, all: all.response, fromApps: fromApps.response)
        }
    }

    private static func date(ofDay day: Int64) -> String {
        String(Timestamp(seconds: day * Timestamp.secondsOfDay).rfc3339.prefix(10))
    }
}
