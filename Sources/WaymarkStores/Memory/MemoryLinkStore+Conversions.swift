package import WaymarkLinks

extension MemoryLinkStore: ConversionStore {
    package var conversions: any ConversionStore { self }

    package func record(_ conversions: [Conversion], at now: Timestamp) async throws(StoreError) -> [EventOutcome] {
        try withState { (state) throws(StoreError) -> [EventOutcome] in
            do {
                return try state.record(conversions, at: now)
            } catch let error as StoreError {
                throw error
            } catch {
                throw .corrupt("conversions can't be counted: \(error)")
            }
        }
    }

    package func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup] {
        try withState { state in
            struct Group: Hashable {
                var value: String?
                var currency: String
                var isFromApp: Bool
            }
            var groups: [Group: ConversionTotal] = [:]
            for (key, total) in state.conversions where query.selects(key) {
                let isFromApp = key.name.hasPrefix(ConversionKey.appMark)
                let value: String?
                switch query.by {
                case .link: value = state.links[key.link].map { "\($0.domain.text)/\($0.slug.text)" }
                case .campaign: value = key.campaign.isEmpty ? nil : key.campaign
                case .day: value = "\(key.day)"
                case .name: value = String(key.name.dropFirst(isFromApp ? 1 : 0))
                }
                let group = Group(value: value, currency: key.currency, isFromApp: isFromApp)
                groups[group, default: ConversionTotal()] += total
            }
            return groups.map { group, total in
                ConversionGroup(
                    value: group.value, currency: group.currency, isFromApp: group.isFromApp, total: total)
            }
            .sorted {
                ($0.value ?? "", $0.currency, $0.isFromApp ? 1 : 0)
                    < ($1.value ?? "", $1.currency, $1.isFromApp ? 1 : 0)
            }
            .prefix(ConversionQuery.groupLimit).map { $0 }
        }
    }
}

extension ConversionQuery {
    fileprivate func selects(_ key: ConversionKey) -> Bool {
        days.contains(key.day) && applications?.contains(key.application) ?? true && (link ?? key.link) == key.link
            && (campaign ?? key.campaign) == key.campaign
    }
}

extension MemoryLinkState: ConversionTransaction {
    mutating func isRecorded(_ digest: [UInt8], at now: Timestamp) -> Bool {
        records[digest].map { $0.expiresAt > now } ?? false
    }

    mutating func keep(event digest: [UInt8], until end: Timestamp) {
        records[digest] = Record(fingerprint: [], expiresAt: end, kept: .event)
    }

    mutating func add(_ total: ConversionTotal, to key: ConversionKey) {
        conversions[key, default: ConversionTotal()] += total
    }
}
