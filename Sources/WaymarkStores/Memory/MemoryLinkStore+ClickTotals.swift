package import WaymarkLinks

extension MemoryLinkStore: ClickTotalStore {
    package var clickTotals: any ClickTotalStore { self }
    package var earlierClicks: (any EarlierClickStore)? { nil }

    package func totals(
        of applications: [ApplicationID], quarters: Range<Int>
    ) async throws(StoreError) -> [ApplicationTotal] {
        try withState { state in
            applications.flatMap { application in
                (state.clickTotals[application] ?? [:]).filter { quarters.contains($0.key) }
                    .map { ApplicationTotal(quarter: $0.key, bytes: $0.value) }
            }
        }
    }

    package func recordedBlocks(
        days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [RecordedBlock] {
        try withState { state in
            let blocks = state.clickBlocks.values.flatMap { $0 }.filter { block in
                days.contains(block.key.day) && (after.map { $0.order < block.key.order } ?? true)
            }
            return blocks.sorted { $0.key.order < $1.key.order }.prefix(max(0, limit)).compactMap { block in
                state.owner(of: block.key.link).map {
                    RecordedBlock(block: block, application: $0.application, domain: $0.domain)
                }
            }
        }
    }

    package func linkIDs(
        of application: ApplicationID, after: LinkID?, limit: Int
    ) async throws(StoreError) -> [LinkID] {
        try withState { state in
            let ids = state.order.filter {
                $0.rawValue > after?.rawValue ?? .min && state.links[$0]?.application == application
            }
            return Array(ids.prefix(max(0, limit)))
        }
    }

    package func linkTotals(
        days: Range<Int>, after: TotalsChange.PageKey?, limit: Int
    ) async throws(StoreError) -> [LinkTotalsRow] {
        try withState { state in
            let begin = after ?? TotalsChange.PageKey(day: .min, page: .min)
            return state.linkTotals.filter { days.contains($0.key.day) && $0.key > begin }
                .sorted { $0.key < $1.key }.prefix(max(0, limit)).map { LinkTotalsRow(key: $0.key, bytes: $0.value) }
        }
    }

    package func linkTotals(pages: [Int64], days: Range<Int>) async throws(StoreError) -> [LinkTotalsRow] {
        try withState { state in
            let pages = Set(pages)
            return state.linkTotals.filter { days.contains($0.key.day) && pages.contains($0.key.page) }
                .map { LinkTotalsRow(key: $0.key, bytes: $0.value) }
        }
    }

    package func addUnknownVisits(_ days: [UnknownVisitsOfDay]) async throws(StoreError) {
        try withState { state in
            for day in days where state.applications[day.application] != nil {
                state.unknownVisits[day.application, default: [:]][day.day, default: UnknownVisits()].merge(day.visits)
            }
        }
    }

    package func unknownVisits(
        of applications: [ApplicationID], days: Range<Int>
    ) async throws(StoreError) -> [UnknownVisits] {
        try withState { state in
            applications.flatMap { application in
                (state.unknownVisits[application] ?? [:]).filter { days.contains($0.key) }.map(\.value)
            }
        }
    }

    package func totalsStart() async throws(StoreError) -> Int? { try withState { _ in nil } }

    package func dropTotals(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try withState { state in
            var dropped = 0
            for (application, rows) in state.clickTotals {
                for quarter in rows.keys where quarter < day * ClickTotal.quartersOfDay && dropped < limit {
                    state.clickTotals[application]?[quarter] = nil
                    dropped += 1
                }
            }
            for key in state.conversions.keys where key.day < day { state.conversions[key] = nil }
            for key in state.linkTotals.keys where key.day < day && dropped < limit {
                state.linkTotals[key] = nil
                dropped += 1
            }
            state.summaries = state.summaries.filter { $0.key.day >= day }
            for (application, rows) in state.unknownVisits {
                for old in rows.keys where old < day && dropped < limit {
                    state.unknownVisits[application]?[old] = nil
                    dropped += 1
                }
            }
            return dropped
        }
    }
}

extension MemoryLinkState {
    /// Adds what the blocks say.
    mutating func addTotals(of blocks: [RecordedBlock]) throws(StoreError) {
        var change = TotalsChange()
        var applications: [ApplicationID] = []
        var hosts: [HostName] = []
        func number<Element: Equatable>(of element: Element, in elements: inout [Element]) -> Int64 {
            if let index = elements.firstIndex(of: element) { return Int64(index) }
            elements.append(element)
            return Int64(elements.count - 1)
        }
        for recorded in blocks {
            let application = number(of: recorded.application, in: &applications)
            change.add(recorded.block, application: application, host: number(of: recorded.domain, in: &hosts))
        }
        for (key, total) in change.totals(domain: { hosts[Int($0)].text }) {
            let application = applications[Int(key.application)]
            clickTotals[application, default: [:]][key.quarter] = try total.added(
                to: clickTotals[application]?[key.quarter])
        }
        for (key, totals) in change.links { linkTotals[key] = try totals.added(to: linkTotals[key]) }
        dropSummaries(of: change.days)
    }
}
