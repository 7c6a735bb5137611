import Testing
import WaymarkAPI
import WaymarkLinks
import WaymarkStores

@Suite struct LinkContentCodecTests {
    private static func full() throws -> LinkContent {
        var content = LinkContent()
        content.route = Route("products/:product_id")
        content.routeParameters = ["product_id": "42"]
        content.queryParameters = [
            "a": "", "b": "false",
        ]
        for (index, platform) in Platform.allCases.enumerated() {
            let fallback: Fallback? = try [
                nil, .store, .web, .url(#require(WebURL("https://shop.example.com/app"))),
            ][index % 4]
            content.urls[platform] = URLEntry(
                link: try #require(URLPattern("https://shop.example.com/\(platform.rawValue)")), fallback: fallback)
        }
        content.redeemLimit = .max
        content.validFrom = Timestamp(rawValue: .min)
        content.expiresAt = Timestamp(rawValue: .max)
        content.maxClicks = 300
        content.social = SocialCard(title: "T", description: nil, imageURL: nil)
        content.campaign = CampaignRequest(source: nil, medium: "mail", name: nil, term: nil, content: "")
        content.tags = ["one", "two"]
        content.forwardQuery = true
        content.disabled = true
        content.minimumVersions = MinimumVersions(ios: AppVersion("4.2.0"), android: AppVersion("412"))
        content.firebase = FirebaseParameters([.link: "https://shop.example.com/", .utmSource: "s"])
        for label in LinkLabel.all { content.labels[label] = label == .title ? "" : "two\nlines \u{1F342}" }
        content.rules = [
            Rule(
                when: RuleCondition(),
                to: .everyone(
                    URLEntry(link: try #require(URLPattern("https://shop.example.com/rule")), fallback: nil)))
        ]
        content.importedClicks = 7
        content.aliases = [
            LinkAlias(try #require(Slug("old"))),
            LinkAlias(try #require(Slug("a.example/b")), on: HostName("localhost")),
        ]
        content.queryOverride = false
        content.redirectStatus = 301
        content.onExpired = WebURL("https://shop.example.com/late")
        content.password = LinkPassword(
            salt: Array(repeating: 7, count: LinkPassword.saltCount),
            key: Array(repeating: 9, count: LinkPassword.keyCount))
        return content
    }

    @Test func labelsHaveTagsOfTheirOwn() throws {
        let tags = LinkLabel.all.map(\.tag)
        #expect(tags == Set(tags).sorted())
        #expect(LinkLabel.title.tag == 16 && LinkLabel.note.tag == 17 && LinkLabel.folder.tag == 24)
        for label in LinkLabel.all {
            var content = LinkContent()
            content.labels[label] = "x"
            #expect(LinkContentCodec.encode(content) == [1, label.tag, 2, 1, UInt8(ascii: "x")])
            #expect(try LinkContentCodec.decode(LinkContentCodec.encode(content)) == content)
        }
    }

    @Test func givesBackWhatWasEncoded() throws {
        #expect(try LinkContentCodec.decode(LinkContentCodec.encode(Self.full())) == Self.full())
        #expect(try LinkContentCodec.decode(LinkContentCodec.encode(LinkContent())) == LinkContent())
    }

    @Test func indexedPartsAreReadAlone() throws {
        let full = try Self.full()
        let indexed = try LinkContentCodec.decodeIndexed(LinkContentCodec.encode(full))
        let slug = try #require(Slug("spring"))
        func words(of content: LinkContent) -> Set<[UInt8]> {
            var list = WordList()
            content.addWords(of: slug, to: &list)
            return Set((0..<list.count).map { Array(list[$0]) })
        }
        #expect(words(of: indexed) == words(of: full))
        #expect(indexed.expiresAt == full.expiresAt)
        #expect(indexed.queryParameters.isEmpty && indexed.social == nil)
    }

    @Test func takesOneByteForAnEmptyContent() {
        #expect(LinkContentCodec.encode(LinkContent()) == [1])
    }

    /// Stored bytes outlive the code that wrote them.
    @Test func keepsItsFormat() throws {
        var content = LinkContent()
        content.route = Route("p/:id")
        content.routeParameters = ["id": "42"]
        content.validFrom = Timestamp(rawValue: -2)
        content.tags = ["t"]
        content.disabled = true
        let bytes: [UInt8] =
            [1, 1, 6, 5] + Array("p/:id".utf8) + [2, 6, 2] + Array("id".utf8) + [2] + Array("42".utf8)
            + [6, 1, 3, 11, 2, 1] + Array("t".utf8) + [13, 0]
        #expect(LinkContentCodec.encode(content) == bytes)
    }

    @Test func refusesEveryTruncation() throws {
        let bytes = LinkContentCodec.encode(try Self.full())
        // A cut between two fields leaves a shorter content, which is whole in itself.
        var whole = 0
        for length in 0..<bytes.count {
            if let content = try? LinkContentCodec.decode(bytes.prefix(length)) {
                whole += 1
                #expect(LinkContentCodec.encode(content) == Array(bytes.prefix(length)))
            }
        }
        // One before each field.
        #expect(whole == 22 + LinkLabel.all.count)
    }

    @Test func survivesEveryChangedByte() throws {
        let bytes = LinkContentCodec.encode(try Self.full())
        var refused = 0
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where bytes[index] != value {
                var damaged = bytes
                damaged[index] = value
                do { _ = try LinkContentCodec.decode(damaged) } catch {
                    #expect(error == .corrupt("the stored content of a link is damaged"))
                    refused += 1
                }
            }
        }
        #expect(refused > bytes.count)
    }

    @Test(
        arguments: [
            [], [0], [2], [1, 0, 0], [1, 99, 0], [1, 1], [1, 1, 0], [1, 1, 2, 5, 65], [1, 12, 1, 2], [1, 13, 0, 13, 0],
            [1, 13, 1, 0], [1, 5, 10, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255],
            [1, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], [1, 11, 2, 1, 0xC3], [1, 9, 1, 8],
            [1, 21, 1, 1, 13, 0], [1, 22, 2, 0xC8, 1], [1, 23, 2, 1, 65],
        ] as [[UInt8]])
    func refusesWhatItNeverWrites(bytes: [UInt8]) {
        #expect(throws: StoreError.self) { try LinkContentCodec.decode(bytes) }
    }

    @Test(arguments: [
        Redeem(status: .redeemed, limit: 3, used: 2), Redeem(status: .exhausted, limit: .max, used: .max),
        Redeem(status: .none, limit: nil, used: 0), Redeem(status: .unlimited, limit: nil, used: 0),
        Redeem(status: .skipped, limit: 0, used: 0),
    ])
    func givesBackARedeemRecord(redeem: Redeem) throws {
        let record = RedeemRecord(link: LinkID(rawValue: 1 << 40), redeem: redeem)
        #expect(try RedeemRecord(encoded: record.encoded) == record)
        for length in record.encoded.indices {
            #expect(throws: StoreError.self) { try RedeemRecord(encoded: Array(record.encoded.prefix(length))) }
        }
    }

    @Test func namesWhatEarlierVersionsCannotRead() throws {
        #expect(LinkContentCodec.need(of: [LinkContent()]) == nil)
        var titled = LinkContent()
        titled.title = "Spring"
        #expect(LinkContentCodec.need(of: [LinkContent(), titled]) == FormatNeed(.v0_2, "title"))
        // Every version reads them.
        var content = try Self.full()
        content.labels = LinkLabels()
        content.firebase = nil
        content.importedClicks = nil
        content.aliases = []
        content.queryOverride = nil
        content.redirectStatus = nil
        content.onExpired = nil
        content.password = nil
        #expect(LinkContentCodec.need(of: [content]) == nil)
        var renamed = LinkContent()
        renamed.aliases = [LinkAlias(try #require(Slug("old")))]
        #expect(LinkContentCodec.need(of: [renamed]) == LinkContentCodec.aliasNeed)
    }
}
