import WaymarkAPI
import WaymarkLinks
import WaymarkStores

extension LinkStoreContract {
    static let conversions = [
        LinkStoreContract("tells conversions of apps from those of back ends") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.conversions.record(
                [
                    Sample.conversion("1", link, "1", isFromApp: true), Sample.conversion("2", link, "2"),
                    Sample.conversion("3", link, "4", isFromApp: true),
                ], at: Sample.now)
            for dimension in ConversionQuery.Dimension.allCases {
                let groups = try await store.conversions.conversions(
                    .init(applications: nil, days: Sample.days, by: dimension))
                try expect(groups.map(\.isFromApp), is: [false, true])
                try expect(groups.map(\.total.sum.text), is: ["2", "5"])
                if dimension == .name { try expect(groups.map(\.value), is: ["purchase", "purchase"]) }
            }
        },
        LinkStoreContract("counts a conversion once, with its link's campaign and exact sums") { store in
            try await store.addApplication()
            try await store.subscribe("conversion.recorded")
            var content = try Sample.content(web: "https://shop.example.com/a")
            content.campaign = CampaignRequest(source: nil, medium: nil, name: "autumn", term: nil, content: nil)
            let link = try await store.added(Sample.draft("a", content: content))
            let other = try await store.added(Sample.draft("b"))
            let outcomes = try await store.conversions.record(
                [
                    Sample.conversion("1", link, "0.10"), Sample.conversion("2", link, "0.2"),
                    Sample.conversion("2", link, "0.2"), Sample.conversion("3", link, "12.345678", "USD"),
                    Sample.conversion("4", link, nil, name: "signup"), Sample.conversion("5", other, "-0.30"),
                    Sample.conversion("6", nil, "5"), Sample.conversion("7", link, "5", application: "other"),
                ], at: Sample.now)
            try expect(
                outcomes,
                is: [.counted, .counted, .duplicate, .counted, .counted, .counted, .unattributed, .unattributed])
            _ = try await store.conversions.record([Sample.conversion("1", other, "7")], at: Sample.after(60))
            let byLink = try await store.conversions.conversions(.init(applications: nil, days: Sample.days, by: .link))
            try expect(
                byLink.map { [$0.value, $0.currency, "\($0.total.count)", $0.total.sum.text] },
                is: [
                    ["go.example.com/a", "", "1", "0"], ["go.example.com/a", "EUR", "2", "0.30"],
                    ["go.example.com/a", "USD", "1", "12.345678"], ["go.example.com/b", "EUR", "1", "-0.30"],
                ])
            let byCampaign = try await store.conversions.conversions(
                .init(applications: [link.application], days: Sample.days, by: .campaign))
            try expect(byCampaign.map(\.value), is: [nil, "autumn", "autumn", "autumn"])
            let ofCampaign = try await store.conversions.conversions(
                .init(applications: nil, days: Sample.days, link: link.id, campaign: "autumn", by: .name))
            try expect(ofCampaign.map(\.value), is: ["purchase", "purchase", "signup"])
            let byDay = try await store.conversions.conversions(
                .init(applications: nil, days: Sample.days, link: other.id, by: .day))
            try expect(byDay.map(\.value), is: ["\(Sample.now.day)"])
            for query in [
                ConversionQuery(applications: [try Sample.application("other")], days: Sample.days, by: .name),
                ConversionQuery(applications: nil, days: 0..<Sample.now.day, by: .name),
                ConversionQuery(applications: nil, days: Sample.days, campaign: "spring", by: .name),
            ] {
                try expect(try await store.conversions.conversions(query), is: [])
            }
            let events = try await store.webhooks.outbox(limit: 100).map(\.event)
            try expect(events.count, is: 5)
            try expect(events[0].link?.slug, is: link.slug)
            try expect(
                Array(events[0].attributes.suffix(2)), is: [.init("currency", "EUR"), .init("reportedBy", "backEnd")])
        },
        LinkStoreContract("counts conversions by rule, and by name whatever the rule") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let rules: [String?] = ["B", nil, "app/1", "B", "\u{FC}"]
            var conversions = rules.indices.map { Sample.conversion("\($0)", link, "1", isFromApp: $0 == 3) }
            for (index, rule) in rules.enumerated() {
                conversions[index].rule = rule.map { ClickedRule($0, isVariant: $0 == "B") }
            }
            _ = try await store.conversions.record(conversions, at: Sample.now)
            let byRule = try await store.conversions.conversions(.init(applications: nil, days: Sample.days, by: .rule))
            try expect(byRule.map(\.value), is: [nil, "B", "B", "app/1", "\u{FC}"])
            try expect(byRule.map(\.isFromApp), is: [false, false, true, false, false])
            let byName = try await store.conversions.conversions(.init(applications: nil, days: Sample.days, by: .name))
            try expect(byName.map(\.value), is: ["purchase", "purchase"])
            try expect(byName.map(\.total.count), is: [4, 1])
            func counts(
                _ by: ConversionQuery.Dimension, rule: String?? = nil, variant: String?? = nil
            ) async throws -> [String] {
                try await store.conversions.conversions(
                    .init(applications: nil, days: Sample.days, rule: rule, variant: variant, by: by)
                ).map { "\($0.value ?? "-") \($0.total.count)" }
            }
            try expect(try await counts(.variant), is: ["- 3", "B 1", "B 1"])
            try expect(try await counts(.name, rule: "B"), is: ["purchase 1", "purchase 1"])
            try expect(try await counts(.rule, rule: "\u{FC}"), is: ["\u{FC} 1"])
            try expect(try await counts(.rule, rule: "p/1"), is: [])
            try expect(try await counts(.rule, rule: .some(nil)), is: ["- 1"])
            try expect(try await counts(.link, variant: "app/1"), is: [])
            try expect(try await counts(.rule, variant: .some(nil)), is: ["- 1", "app/1 1", "\u{FC} 1"])
        },
        LinkStoreContract("keeps conversions of a link that is deleted") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            _ = try await store.conversions.record([Sample.conversion("1", link, "5.00")], at: Sample.now)
            _ = try await store.delete(link.id, expecting: nil)
            let groups = try await store.conversions.conversions(.init(applications: nil, days: Sample.days, by: .link))
            try expect(groups.map(\.value), is: [nil])
            try expect(groups.map(\.total.sum.text), is: ["5.00"])
            try expect(
                try await store.conversions.record([Sample.conversion("2", link, "5.00")], at: Sample.now),
                is: [.unattributed])
        },
        LinkStoreContract("leads a conversion from its installation to the claimed link") { store in
            try await store.addApplication()
            let link = try await store.added(Sample.draft("a"))
            let installation: [UInt8] = Array("installation".utf8)
            var conversion = Sample.conversion("1", nil, "5")
            conversion.installations = [Array("another".utf8), installation]
            try expect(try await store.conversions.record([conversion], at: Sample.now), is: [.unattributed])
            let candidate = ClaimCandidate(
                scope: Array("click".utf8), installation: installation, application: link.application, link: link.id,
                isCounted: false, method: .referrer, platform: .android, opened: nil, answersUntil: Sample.after(60),
                expiresAt: Sample.after(600), rule: ClickedRule("B"))
            _ = try await store.claim([candidate], at: Sample.now, idempotency: nil)
            conversion.digest = [2]
            try expect(try await store.conversions.record([conversion], at: Sample.after(1)), is: [.counted])
            let groups = try await store.conversions.conversions(.init(applications: nil, days: Sample.days, by: .rule))
            try expect(groups.map(\.value), is: ["B"])
            conversion.digest = [3]
            try expect(try await store.conversions.record([conversion], at: Sample.after(600)), is: [.unattributed])
        },
    ]
}

extension Sample {
    static let days = now.day - 1..<now.day + 2

    static func conversion(
        _ id: String, _ link: Link?, _ amount: String?, _ currency: String = "EUR", name: String = "purchase",
        application: String = "shop", isFromApp: Bool = false
    ) -> Conversion {
        Conversion(
            digest: Array("conversion \(id)".utf8), id: id, name: name, at: now, link: link?.id,
            application: ApplicationID(application),
            value: amount.flatMap { Money($0) }.map { ($0, currency) }, isFromApp: isFromApp,
            expiresAt: after(90 * 86_400))
    }
}
