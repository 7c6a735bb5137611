#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    extension Transaction {
        /// Adds those events to the outbox that have a subscriber.
        func publish(_ events: [OutboxEvent]) throws {
            guard !events.isEmpty else { return }
            let subscriptions = try EventSubscriptions(run(.subscriptions))
            let wanted = events.filter { subscriptions.includes($0.type, of: $0.application) }
            guard !wanted.isEmpty else { return }
            _ = try run(.addOutbox, .byteStrings(wanted.map(\.encoded)))
        }

        /// Adds `link.clicked` for the clicks of new blocks.
        func reportClicks(_ added: [ClickBlock]) throws {
            guard !added.isEmpty, try EventSubscriptions(run(.subscriptions)).includes(.linkClicked) else { return }
            let ids = Set(added.map(\.key.link.rawValue)).sorted()
            var links: [LinkID: Link] = [:]
            for link in try LinkRow.readable(run(.loadLinks, .numbers(ids))) { links[link.id] = link }
            var blocks: [ApplicationID: [(block: ClickBlock, link: Link)]] = [:]
            for block in added {
                guard let link = links[block.key.link] else { continue }
                blocks[link.application, default: []].append((block, link))
            }
            for (application, blocks) in blocks { try publish(OutboxEvent.clicks(of: blocks, application)) }
        }
    }

    extension EventSubscriptions {
        /// Decodes the rows of `Statement.subscriptions`.
        init(_ result: QueryResult) throws {
            self.init()
            for row in 0..<result.count {
                add(
                    EventTypes(rawValue: try result.number(row, 1)),
                    of: try result.optionalText(row, 0).flatMap { ApplicationID($0) })
            }
        }
    }
#endif
