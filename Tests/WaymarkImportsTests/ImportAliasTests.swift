import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// Further slugs of a link.
@Suite struct ImportAliasTests {
    @Test func `further addresses are aliases of one link`() async throws {
        let target = try await MemoryTarget(Shop.application([Shop.host, Shop.second]))
        let text = "smartlink,aliases,urls.web\ngo.example.com/a,\"b,c/d,s.example.com/a\",https://a.example/\n"
        let domains = [Shop.host, Shop.second]
        #expect(try await Shop.results(text, .csv, domains: domains, into: target).map(\.outcome) == [.created])
        let link = try #require(try await target.find(Shop.host, Slug("a")!))
        #expect(link.content.aliases.map { $0.text(of: Shop.host) } == ["b", "c/d", "s.example.com/a"])
        for address in link.addresses {
            #expect(try await target.find(address.domain, address.slug)?.id == link.id)
        }
        for isDryRun in [true, false] {
            let again = try await Shop.results(text, .csv, domains: domains, isDryRun: isDryRun, into: target)
            #expect(again.map(\.outcome) == [.same])
        }
    }

    /// Nothing changes a link that is there, so further slugs of its source become another one.
    @Test(arguments: [true, false]) func slugsThatAreMissingBecomeALinkOfTheirOwn(isDryRun: Bool) async throws {
        let target = try await MemoryTarget(Shop.application())
        _ = try await Shop.results("slug,urls.web\na,https://a.example/\n", .csv, into: target)
        let text = "slug,aliases,urls.web\na,x|y,https://a.example/\n"
        let found = try await Shop.results(text, .csv, isDryRun: isDryRun, into: target)
        #expect(found.map(\.outcome) == [.created])
        #expect(found[0].reason.contains("go.example.com/x becomes a link of its own"))
        let link = try await target.find(Shop.host, Slug("x")!)
        #expect(isDryRun ? link == nil : link?.content.aliases == [LinkAlias(Slug("y")!)])
        guard !isDryRun else { return }
        #expect(try await Shop.results(text, .csv, into: target).map(\.outcome) == [.same])
    }

    /// Rows of slug, aliases and URL; the earlier row wins.
    @Test(
        arguments: [
            (["a,b,A", "b,,A"], [ImportOutcome.created, .same]), (["a,b,A", "b,c,A"], [.created, .created]),
            (["a,b,A", "c,b|d,A"], [.created, .created]), (["a,b,A", "b,c,B"], [.created, .clash]),
            (["a,,A", "b,a,A", "b,,B"], [.created, .created, .clash]), (["a,,A", "a,,A"], [.created, .same]),
            (["a,,A", "b,a,B", "b,,B"], [.created, .clash, .created]),
        ])
    func rowsOfABatchMayShareSlugs(rows: [String], outcomes: [ImportOutcome]) async throws {
        let lines = rows.map { row in String(row.dropLast()) + "https://\(row.suffix(1).lowercased()).example/" }
        let text = "slug,aliases,urls.web\n" + lines.joined(separator: "\n") + "\n"
        for isDryRun in [true, false] {
            let target = try await MemoryTarget(Shop.application())
            let found = try await Shop.results(text, .csv, isDryRun: isDryRun, into: target)
            #expect(found.map(\.outcome) == outcomes, "dry run: \(isDryRun)")
        }
    }

    /// What a link elsewhere has already differs from a row as little as it may.
    @Test func clicksAndMetadataDecideInADryRunAsElsewhere() async throws {
        let text =
            "slug,urls.web,importedClicks,metadata.a\na,https://a.example/,1,\na,https://a.example/,2,\na,https://a.example/,1,x\n"
        for isDryRun in [true, false] {
            let target = try await MemoryTarget(Shop.application())
            let found = try await Shop.results(text, .csv, isDryRun: isDryRun, into: target)
            #expect(found.map(\.outcome) == [.created, .same, .clash], "dry run: \(isDryRun)")
        }
    }

    /// Rows of short URL, further ones and URL, with `--domain`.
    @Test(
        arguments: [
            (["bit.ly/x,,A", "go.example.com/x,go.example.com/y,A"], [ImportOutcome.created, .created], ["x", "y"]),
            (["bit.ly/m,bit.ly/x,A", "go.example.com/x,,A"], [.created, .same], ["m", "m"]),
            // One of its places is at home, and its slug is another link's.
            (["bit.ly/sale,go.example.com/m,A", "go.example.com/sale,,B"], [.created, .created], ["m", "sale"]),
            (["bit.ly/sale,bit.ly/m,A", "go.example.com/sale,,B"], [.clash, .created], [nil, "sale"]),
            // A place is at home if one of the addresses that become it is.
            (
                ["rebrand.ly/summer,,B", "bit.ly/summer,go.example.com/summer,A"], [.clash, .created],
                [nil, "summer"]
            ),
        ])
    func rowsAtHomeKeepTheirSlugs(rows: [String], outcomes: [ImportOutcome], slugs: [String?]) async throws {
        let lines = rows.map { row in String(row.dropLast()) + "https://\(row.suffix(1).lowercased()).example/" }
        let text = "smartlink,aliases,urls.web\n" + lines.joined(separator: "\n") + "\n"
        for isDryRun in [true, false] {
            let target = try await MemoryTarget(Shop.application())
            var results: [ImportResult] = []
            let preparation = Shop.preparation(domain: Shop.host)
            _ = try await LinkImport(into: target, preparation, isDryRun: isDryRun).run(
                from: try await ForeignService.csv.links(in: [file(text)]),
                again: { try await ForeignService.csv.links(in: [file(text)]) }, report: { results += $0 })
            #expect(results.map(\.outcome) == outcomes, "dry run: \(isDryRun), \(results.map(\.reason))")
            for (slug, url) in zip(slugs, rows.map { $0.suffix(1).lowercased() }) where !isDryRun {
                guard let slug = slug.flatMap({ Slug($0) }) else { continue }
                let link = try await target.find(Shop.host, slug)
                #expect(link?.content.urls[.web]?.link.text == "https://\(url).example/" && link?.slug == slug)
            }
        }
    }

    @Test func theReportNamesTheAliasesThatAreMade() async throws {
        let target = try await MemoryTarget(Shop.application())
        _ = try await Shop.results("slug,urls.web\nx,https://a.example/\n", .csv, into: target)
        let found = try await Shop.results("slug,aliases,urls.web\na,x|y,https://a.example/\n", .csv, into: target)
        #expect(
            found.map(\.reason) == [
                "also https://go.example.com/y; go.example.com/a becomes a link of its own, because "
                    + "go.example.com/x is there already"
            ])
    }

    @Test func aRowWithoutASlugTakesTheFirstFurtherOne() async throws {
        let target = try await MemoryTarget(Shop.application())
        let text = "slug,aliases,urls.web\n,x|y,https://a.example/\n"
        #expect(try await Shop.results(text, .csv, into: target).map(\.slug) == ["x"])
        #expect(try await target.find(Shop.host, Slug("y")!)?.slug == Slug("x"))
    }

    @Test(arguments: [ExportFormat.csv, .jsonl]) func exportsKeepAliases(format: ExportFormat) async throws {
        let answer = ##"""
            {"smartlink": "https://go.example.com/a", "domain": "go.example.com", "slug": "a", "app": "shop",
            "aliases": ["b", "sale/tv", "s.example.com/a", "//localhost/a"], "urls": {"web": {"link": "https://a.example/"}},
            "createdAt": "2026-01-01T00:00:00Z"}
            """##
        let value = try JSONValue(parsing: Array(answer.utf8))
        let text = (format.header.map { $0 + [0x0A] } ?? []) + (try #require(format.line(value))) + [0x0A]
        let domains = [Shop.host, Shop.second, HostName("localhost")!]
        let target = try await MemoryTarget(Shop.application(domains))
        let found = try await Shop.results(
            String(decoding: text, as: UTF8.self), .waymark, domains: domains, into: target)
        #expect(found.map(\.outcome) == [.created], "\(found)")
        let link = try #require(try await target.find(Shop.second, Slug("a")!))
        #expect(
            link.content.aliases.map { $0.text(of: Shop.host) } == ["b", "sale/tv", "s.example.com/a", "//localhost/a"])
    }
}
