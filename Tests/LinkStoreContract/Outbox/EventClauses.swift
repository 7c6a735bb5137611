import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let events = [
        LinkStoreContract("counts what apps did with a link by day, and forgets it with the link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            try await store.addActivity([
                DailyActivity(link: link.id, day: 20_000, counts: LinkActivity(opens: 1, resolves: 2)),
                DailyActivity(
                    link: link.id, day: 20_002,
                    counts: LinkActivity(
                        installs: 1, redeems: 3, claims: 4, androidInstallEvents: 5, androidInstalls: 6)),
                DailyActivity(link: other.id, day: 20_000, counts: LinkActivity(opens: 5)),
                DailyActivity(link: LinkID(rawValue: 999), day: 20_000, counts: LinkActivity(opens: 1)),
            ])
            try await store.addActivity([
                DailyActivity(
                    link: link.id, day: 20_000, counts: LinkActivity(opens: .max, resolves: 1, androidInstalls: .max)),
                DailyActivity(
                    link: link.id, day: 20_002, counts: LinkActivity(androidInstallEvents: .max, androidInstalls: 1)),
            ])
            try expect(
                try await store.activity(of: link.id, days: 19_000..<20_002),
                is: [
                    DailyActivity(
                        link: link.id, day: 20_000,
                        counts: LinkActivity(opens: .max, resolves: 3, androidInstalls: .max))
                ])
            try expect(
                try await store.activity(of: link.id, days: 20_001..<20_003),
                is: [
                    DailyActivity(
                        link: link.id, day: 20_002,
                        counts: LinkActivity(
                            installs: 1, redeems: 3, claims: 4, androidInstallEvents: .max, androidInstalls: 7))
                ])
            _ = try await store.delete(link.id, expecting: nil)
            try expect(try await store.activity(of: link.id, days: 0..<30_000), is: [])
            try await store.addActivity([DailyActivity(link: link.id, day: 20_000, counts: LinkActivity(opens: 1))])
            try expect(try await store.activity(of: link.id, days: 0..<30_000), is: [])
            try expect(try await store.activity(of: LinkID(rawValue: 999), days: 0..<30_000), is: [])
        },
        LinkStoreContract("counts opens and installs for the links that they name") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let other = try await store.added(Sample.draft("b"))
            try expect(try await store.eventCounts(of: link.id), is: EventCounts())
            let outcomes = try await store.record(
                [
                    Sample.event("1", .open, link.id), Sample.event("2", .open, link.id),
                    Sample.event("3", .install, link.id), Sample.event("4", .install, other.id),
                ], at: Sample.now)
            try expect(outcomes, is: [.counted, .counted, .counted, .counted])
            try expect(try await store.eventCounts(of: link.id), is: EventCounts(opens: 2, installs: 1))
            try expect(try await store.eventCounts(of: other.id), is: EventCounts(opens: 0, installs: 1))
            // Nothing that a patch has to know of.
            try expect(try await store.link(link.id), is: link)
            try expect(try await store.record([], at: Sample.now), is: [])
        },
        LinkStoreContract("counts an event once until it runs out, also within one call") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let event = Sample.event("same", .open, link.id)
            try expect(
                try await store.record([event, event, Sample.event("same", .install, nil)], at: Sample.now),
                is: [.counted, .duplicate, .duplicate])
            try expect(try await store.record([event], at: Sample.after(604_799)), is: [.duplicate])
            try expect(try await store.eventCounts(of: link.id), is: EventCounts(opens: 1))
            var later = event
            later.expiresAt = Sample.after(1_209_600)
            try expect(try await store.record([later], at: Sample.after(604_800)), is: [.counted])
            try expect(try await store.record([later], at: Sample.after(1_209_599)), is: [.duplicate])
            try expect(try await store.eventCounts(of: link.id), is: EventCounts(opens: 2))
        },
        LinkStoreContract("takes events that lead nowhere, once too") { store in
            try await store.addApplication()
            try await store.addApplication("other")
            let link = try await store.added(Sample.draft("a"))
            var foreign = Sample.event("1", .open, link.id)
            foreign.application = try Sample.application("other")
            let unknown = Sample.event("2", .open, LinkID(rawValue: 999))
            let bare = Sample.event("3", .install, nil)
            var own = Sample.event("4", .open, link.id)
            own.application = try Sample.application()
            try expect(
                try await store.record([foreign, unknown, bare, own], at: Sample.now),
                is: [.unattributed, .unattributed, .unattributed, .counted])
            try expect(
                try await store.record([foreign, unknown, bare, own], at: Sample.now),
                is: [.duplicate, .duplicate, .duplicate, .duplicate])
            try expect(try await store.eventCounts(of: link.id), is: EventCounts(opens: 1))
            try expect(try await store.eventCounts(of: LinkID(rawValue: 999)), is: EventCounts())
        },
        LinkStoreContract("forgets a link's events with the link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.record([Sample.event("1", .open, link.id)], at: Sample.now)
            try expect(try await store.delete(link.id, expecting: nil), is: .deleted)
            try expect(try await store.eventCounts(of: link.id), is: EventCounts())
        },
        LinkStoreContract("counts each of the events that many send at once") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let outcomes = try await withThrowingTaskGroup(of: [EventOutcome].self) { group in
                for number in 0..<40 {
                    group.addTask {
                        // Each pair of neighbours shares ten of its events.
                        let events = (0..<20).map { Sample.event("\(number * 10 + $0)", .open, link.id) }
                        return try await store.record(events, at: Sample.now)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expect(outcomes.filter { $0 == .counted }.count, is: 410)
            try expect(outcomes.filter { $0 == .duplicate }.count, is: 390)
            try expect(try await store.eventCounts(of: link.id), is: EventCounts(opens: 410))
        },
        LinkStoreContract("drops ids of events that ran out, at most as many as asked") { store in
            try await store.addApplication()
            _ = try await store.record((0..<5).map { Sample.event("\($0)", .open, nil) }, at: Sample.now)
            try expect(try await store.purge(at: Sample.after(604_799), limit: 10), is: 0)
            try expect(try await store.purge(at: Sample.after(604_800), limit: 3), is: 3)
            try expect(try await store.purge(at: Sample.after(604_800), limit: 3), is: 2)
        },
    ]
}

extension Sample {
    /// Remembered for seven days.
    static func event(_ id: String, _ kind: AppEvent.Kind, _ link: LinkID?) -> AppEvent {
        AppEvent(digest: Array(id.utf8), kind: kind, link: link, application: nil, expiresAt: after(604_800))
    }
}
