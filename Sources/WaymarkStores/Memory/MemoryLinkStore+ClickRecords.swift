package import WaymarkLinks

extension MemoryLinkStore: ClickStore {
    package var clickRecords: any ClickStore { self }

    package func append(_ blocks: [ClickBlock]) async throws(StoreError) {
        try withState { (state) throws(StoreError) in
            var added: [RecordedBlock] = []
            var ofLinks: [(block: ClickBlock, link: Link)] = []
            for block in blocks {
                guard let (application, domain) = state.owner(of: block.key.link), state.append(block) else { continue }
                added.append(RecordedBlock(block: block, application: application, domain: domain))
                if let link = state.links[block.key.link] { ofLinks.append((block, link)) }
            }
            try state.addTotals(of: added)
            for (application, blocks) in Dictionary(grouping: ofLinks, by: \.link.application) {
                for event in OutboxEvent.clicks(of: blocks, application) { state.publish(event) }
            }
        }
    }

    package func blocks(
        of link: LinkID, days: ClosedRange<Int>, after: ClickBlock.Key?, limit: Int
    ) async throws(StoreError) -> [ClickBlock] {
        try withState { state in
            let kept = state.clickBlocks[link] ?? []
            let begin = ClickBlock.Key(link: link, day: days.lowerBound, number: .min)
            var order = kept.firstIndex(notBelow: max(begin, after ?? begin))
            if let after, order < kept.count, kept[order].key == after { order += 1 }
            return Array(kept[order...].prefix(max(0, limit)).prefix { $0.key.day <= days.upperBound })
        }
    }

    package func longLinkNumbers(
        of application: ApplicationID, on domains: [HostName]
    ) async throws(StoreError) -> [HostName: LinkID] {
        try withState { state in
            guard var numbers = state.applications[application]?.longLinks else { return [:] }
            for domain in domains where numbers[domain] == nil { numbers[domain] = .ofLongLinks() }
            state.applications[application]?.longLinks = numbers
            return numbers
        }
    }

    package func dropClicks(before day: Int, limit: Int) async throws(StoreError) -> Int {
        try withState { state in
            var dropped = 0
            for link in Array(state.clickBlocks.keys) where dropped < limit {
                let kept = state.clickBlocks[link] ?? []
                let old = kept.firstIndex(notBelow: ClickBlock.Key(link: link, day: day, number: .min))
                let count = min(old, limit - dropped)
                state.clickBlocks[link] = count == kept.count ? nil : Array(kept[count...])
                dropped += count
            }
            return dropped
        }
    }
}

extension MemoryLinkState {
    /// The application and the domain of a link, or of a number of long links; nil if there is none.
    func owner(of id: LinkID) -> (application: ApplicationID, domain: HostName)? {
        if let link = links[id] { return (link.application, link.domain) }
        guard id.isOfLongLinks else { return nil }
        for application in applications.values {
            if let domain = application.longLinks.first(where: { $0.value == id })?.key {
                return (application.id, domain)
            }
        }
        return nil
    }

    /// False if the block is stored already.
    fileprivate mutating func append(_ block: ClickBlock) -> Bool {
        let order = clickBlocks[block.key.link]?.firstIndex(notBelow: block.key) ?? 0
        let isKept = clickBlocks[block.key.link].map { order < $0.count && $0[order].key == block.key } ?? false
        guard !isKept else { return false }
        clickBlocks[block.key.link, default: []].insert(block, at: order)
        return true
    }
}

extension [ClickBlock] {
    fileprivate func firstIndex(notBelow key: ClickBlock.Key) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
