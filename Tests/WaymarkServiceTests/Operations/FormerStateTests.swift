import Testing
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// What links and applications were at a time, held against a log that a test keeps of what it did.
@Suite struct FormerStateTests {
    /// What a link was from a time on.
    private struct Logged: Equatable {
        let from: Timestamp
        let version: Int
        let slug: Slug
        let content: LinkContent
    }

    @Test func `states at 1,000 random moments equal a log`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let service = fixture.service
        var log: [LinkID: [Logged]] = [:]
        var links: [Link] = []
        func note(_ link: Link) {
            log[link.id, default: []].append(
                Logged(from: fixture.clock.now, version: link.version, slug: link.slug, content: link.content))
        }
        let start = fixture.clock.now
        for step in 0..<600 {
            // Often not at all, so that several changes have the same time.
            fixture.clock.advance(milliseconds: Int64(fixture.random.below(4) * fixture.random.below(2_000)))
            if links.count < 8, step % 20 == 0 {
                var content = LinkContent()
                content.tags = ["first"]
                let link = try await fixture.create("link\(links.count)", content)
                links.append(link)
                note(link)
                continue
            }
            let index = fixture.random.below(links.count)
            let link = links[index]
            let changed: Link?
            switch fixture.random.below(10) {
            case 0:
                let other = try slug("other\(step)")
                let outcome = try await service.rename(
                    link.domain, link.slug, to: other, for: .all, by: .environment, expecting: nil)
                changed = if case .renamed(let renamed) = outcome { renamed } else { nil }
            case 1, 2:
                let outcome: RestoreOutcome<Never> = try await service.restore(
                    link.domain, link.slug, version: 1 + fixture.random.below(link.version), for: .all, expecting: nil
                ) { _, _, content in .change(LinkChange(content: content)) }
                changed = if case .restored(let restored) = outcome { restored } else { nil }
            case 3:
                let outcome: PatchOutcome<Never> = try await service.patch(
                    link.domain, link.slug, for: .all, expecting: nil
                ) { link, _, _ in .change(LinkChange(content: link.content)) }
                changed = if case .updated(let updated) = outcome { updated } else { nil }
            default:
                let title = "title \(fixture.random.below(5))"
                let tags = (0..<fixture.random.below(3)).map { "tag\($0)" }
                let outcome: PatchOutcome<Never> = try await service.patch(
                    link.domain, link.slug, for: .all, expecting: nil
                ) { link, _, _ in
                    var content = link.content
                    content.title = title
                    content.tags = tags
                    return .change(LinkChange(content: content))
                }
                changed = if case .updated(let updated) = outcome { updated } else { nil }
            }
            // Refused where a link has all aliases that it may have.
            guard let changed else { continue }
            links[index] = changed
            note(changed)
        }
        fixture.clock.advance(milliseconds: 1_000)
        let span = Int(fixture.clock.now.rawValue - start.rawValue)
        for _ in 0..<1_000 {
            let link = links[fixture.random.below(links.count)]
            // Never a whole second, which reaches to its end.
            let moment = start.advanced(byMilliseconds: Int64(fixture.random.below(span)) | 1)
            let expected = log[link.id]?.last { $0.from <= moment }
            switch try await service.state(of: link, at: moment) {
            case .found(let former):
                #expect(former.version == expected?.version)
                #expect(former.slug == expected?.slug)
                #expect(former.content == expected?.content)
            case .notYet(let since):
                #expect(expected == nil)
                #expect(since == link.createdAt)
            case .notStored: Issue.record("version \(expected?.version ?? 0) is not stored")
            }
        }
        // Each version by its number, through pages.
        for link in links {
            var (versions, next) = ([LinkVersion](), Optional(link.version))
            while let through = next {
                let page = try await service.history(of: link, through: through, limit: 7)
                versions += page.versions
                next = page.next
            }
            let logged = Dictionary(uniqueKeysWithValues: (log[link.id] ?? []).map { ($0.version, $0) })
            #expect(versions.last?.entry.version == 1)
            for version in versions {
                #expect(version.after?.content == logged[version.entry.version]?.content)
                #expect(version.after?.slug == logged[version.entry.version]?.slug)
                #expect(version.before?.content == logged[version.entry.version - 1]?.content)
            }
        }
    }

    @Test func `a whole second reaches to its end`() async throws {
        let fixture = try await ServiceFixture.withShop()
        fixture.clock.advance(milliseconds: 400)
        let created = fixture.clock.now
        let link = try await fixture.create("link", LinkContent())
        try await fixture.put(try application("news", domains: ["news.example.com"]))
        let id = try #require(ApplicationID("news"))
        let served = try #require(fixture.service.applications.directory.current.application(id))
        fixture.clock.advance(milliseconds: 5_000)
        for (offset, isFound) in [(-401, false), (-400, true), (-399, false), (-1, false), (0, true)] {
            let moment = created.advanced(byMilliseconds: Int64(offset))
            let states = (
                try await fixture.service.state(of: link, at: moment),
                try await fixture.service.state(of: served, at: moment)
            )
            let found = if case .found(let former) = states.0 { former.version == 1 } else { false }
            #expect(found == isFound, "\(offset)")
            let foundApplication = if case .found(let former) = states.1 { former.version == 1 } else { false }
            #expect(foundApplication == isFound, "\(offset)")
        }
    }

    @Test func `an application is what its document was`() async throws {
        let fixture = try await ServiceFixture.withShop()
        let start = fixture.clock.now
        for status in [301, 307, 308] {
            fixture.clock.advance(milliseconds: 1_000)
            try await fixture.put(try application("shop", domains: ["go.example.com"], redirectStatus: status))
        }
        fixture.clock.advance(milliseconds: 1_000)
        let id = try #require(ApplicationID("shop"))
        let served = try #require(fixture.service.applications.directory.current.application(id))
        for (offset, status) in [(0, 302), (999, 302), (1_000, 301), (2_500, 307), (3_000, 308), (3_500, 308)] {
            let moment = start.advanced(byMilliseconds: Int64(offset))
            guard case .found(let former) = try await fixture.service.state(of: served, at: moment) else {
                Issue.record("nothing at \(offset)")
                continue
            }
            #expect(former.application.redirectStatus == status)
        }
        guard case .notYet(start) = try await fixture.service.state(of: served, at: start.advanced(byMilliseconds: -1))
        else {
            Issue.record("it was there before its creation")
            return
        }
    }
}

extension FixedRandom {
    fileprivate func below(_ bound: Int) -> Int {
        Int(bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } % UInt32(max(bound, 1)))
    }
}
