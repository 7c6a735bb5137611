import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// The files that services and their databases write.
@Suite struct FileSourceTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let service: ForeignService
        let text: String
        /// One line for each link: `slug destination`, or `slug reason` if the link is refused.
        let links: [String]

        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "polr dump", service: .polr,
            text: """
                -- MySQL dump 10.13
                DROP TABLE IF EXISTS `links`;
                CREATE TABLE `links` (
                  `id` int(10) unsigned NOT NULL AUTO_INCREMENT,
                  `short_url` varchar(255) NOT NULL,
                  `long_url` longtext NOT NULL,
                  `ip` varchar(255) NOT NULL,
                  `creator` varchar(255) NOT NULL,
                  `clicks` varchar(255) NOT NULL DEFAULT '0',
                  `secret_key` varchar(255) NOT NULL,
                  `is_disabled` tinyint(4) NOT NULL DEFAULT '0',
                  `is_custom` tinyint(4) NOT NULL,
                  `is_api` tinyint(4) NOT NULL,
                  `created_at` timestamp NOT NULL,
                  PRIMARY KEY (`id`)
                );
                LOCK TABLES `links` WRITE;
                INSERT INTO `links` VALUES (1,'a','https://a.example/','','x','3','',0,1,0,'2020-01-02 03:04:05'),
                (2,'b','https://b.example/',
                 '','x','0','7f3a',
                 1,0,0,'2020-01-02 03:04:05');
                INSERT INTO `links` VALUES (3,'c','https://c.example/;);','','x','0','',0,0,0,'2020-01-02 03:04:05');
                UNLOCK TABLES;
                CREATE TABLE `other_links_x` (`id` int);
                INSERT INTO `other_links_x` VALUES (1);

                """,
            links: ["a https://a.example/", "b/7f3a https://b.example/", "c https://c.example/;);"]),
        Sample(
            name: "kutt dump", service: .kutt,
            text: """
                PRAGMA foreign_keys=OFF;
                BEGIN TRANSACTION;
                CREATE TABLE `links` (`id` integer not null primary key autoincrement, `address` varchar(255) not null,
                  `description` varchar(255), `banned` boolean default '0', `expire_in` datetime, `password` varchar(255),
                  `target` varchar(2040) not null, `visit_count` integer default '0', `created_at` datetime);
                INSERT INTO links VALUES(1,'a','It''s',0,NULL,NULL,'https://a.example/',4,'2022-01-02 03:04:05');
                INSERT INTO links VALUES(2,'b',NULL,1,NULL,'$2a$12$x','https://b.example/',0,'2022-01-02 03:04:05');
                COMMIT;

                """, links: ["a https://a.example/", "b password"]),
        Sample(
            name: "rebrandly CSV", service: .rebrandly,
            text: "Title,Slashtag,Domain,Destination URL,Clicks,Created At\n"
                + "Sale,a,go.example.com,https://a.example/?x=1,5,2021-01-02T03:04:05.000Z\n",
            links: ["a https://a.example/?x=1"]),
        Sample(
            name: "Short.io CSV", service: .shortio,
            text: "Original URL;Short URL;Path;Title;Password\n"
                + "https://a.example/;https://go.example.com/a;a;Sale;\n"
                + "https://b.example/;https://go.example.com/b;b;;secret\n",
            links: ["a https://a.example/", "b https://b.example/"]),
        Sample(
            name: "bitly CSV", service: .bitly,
            text: "Bitlink,Long URL,Title,Created,Custom Bitlinks\n"
                + "bit.ly/a,https://a.example/,Sale,2021-01-02,\"go.example.com/x, go.example.com/y\"\n",
            links: ["a https://a.example/"]),
        Sample(
            name: "dub CSV", service: .dub,
            text: "Short link,Destination URL,Clicks,Created at,Tags\n"
                + "https://go.example.com/a,https://a.example/,3,2024-01-02T03:04:05.000Z,\"one,two\"\n",
            links: ["a https://a.example/"]),
        Sample(
            name: "Shlink CSV", service: .shlink,
            text: "createdAt,shortUrl,domain,shortCode,longUrl,title,tags,visits\n"
                + "2023-01-02T03:04:05+00:00,https://go.example.com/a,go.example.com,a,https://a.example/,,one|two,9\n",
            links: ["a https://a.example/"]),
        Sample(
            name: "YOURLS TSV", service: .yourls,
            text: "keyword\turl\ttitle\ttimestamp\tip\tclicks\na\thttps://a.example/\t\\N\t2020-01-02 03:04:05\t\t1\n",
            links: ["a https://a.example/"]),
        Sample(
            name: "Branch JSON Lines", service: .branch,
            text: ##"{"data": {"url": "https://x.app.link/a", "$desktop_url": "https://a.example/", "product": 7}}"##
                + "\n\n"
                + ##"{"url": "https://x.app.link/b", "data": "{\"$fallback_url\": \"https://b.example/\"}"}"##
                + "\nno JSON\n",
            links: ["a https://a.example/", "b https://b.example/", " JSON"]),
    ]

    @Test(arguments: samples) func exportsAreRead(_ sample: Sample) async throws {
        let source = try await sample.service.links(in: [file(sample.text)])
        let rows = try await source.all()
        #expect(rows.count == sample.links.count)
        for (row, expected) in zip(rows, sample.links) {
            let parts = expected.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            #expect(row.link.address.slug == parts[0])
            if let refusal = row.link.refusal {
                #expect(refusal.contains(parts[1]))
            } else {
                let page = row.link.branch?["$desktop_url"] ?? row.link.branch?["$fallback_url"]
                #expect(page ?? row.link.draft.urls["web"]?.link == parts[1])
            }
        }
    }

    @Test func aliasesOfASpreadsheetAreFurtherSlugs() async throws {
        let sample = try #require(Self.samples.first { $0.name == "bitly CSV" })
        let rows = try await sample.service.links(in: [file(sample.text)]).all()
        #expect(rows.first?.link.aliases.map(\.slug) == ["x", "y"])
    }

    @Test func manyAliasesOfOneDestinationAreAllMade() async throws {
        let target = try await MemoryTarget(Shop.application())
        let aliases = (1...20).map { "alias\($0)" }
        let text = "slug,aliases,urls.web\nmain,\(aliases.joined(separator: "|")),https://a.example/\n"
        for outcome in [ImportOutcome.created, .same] {
            let source = try await ForeignService.csv.links(in: [file(text)])
            let results = try await LinkImport(into: target, Shop.preparation(), isDryRun: false).results(source)
            #expect(results.map(\.outcome) == [outcome])
        }
        for alias in aliases { #expect(try await target.find(Shop.host, Slug(alias)!) != nil) }
    }

    @Test func rulesOfShlinkBecomeRules() async throws {
        var link = ForeignLink()
        link.setShlinkRules(
            [
                "redirectRules": [
                    [
                        "longUrl": "https://b.example/", "priority": 2,
                        "conditions": [["type": "language", "matchValue": "de"]],
                    ],
                    [
                        "longUrl": "https://a.example/", "priority": 1,
                        "conditions": [
                            ["type": "device", "matchValue": "mobile"],
                            ["type": "query-param", "matchKey": "x", "matchValue": "1"],
                        ],
                    ],
                    [
                        "longUrl": "https://c.example/", "priority": 3,
                        "conditions": [["type": "ip-address", "matchValue": "192.0.2.0/24"]],
                    ],
                ]
            ])
        #expect(link.draft.rules.map(\.to) == [.url("https://a.example/"), .url("https://b.example/")])
        #expect(link.draft.rules[0].when.device == ["phone", "tablet"])
        #expect(link.draft.rules[0].when.query == ["x": ["1"]])
        #expect(link.notes.count == 1)
    }

    @Test func aDumpWithoutColumnNamesIsNamedAsSuch() async throws {
        var pieces = [
            "INSERT INTO `yourls_url` VALUES ('a','https://a.example/','A','2020-01-02 03:04:05','::1',3);\n"
        ][...]
        let source = try await ForeignService.yourls.links(in: [
            ForeignFile(name: "yourls.sql") { { pieces.popFirst().map { Array($0.utf8) } ?? [] } }
        ])
        let error = await #expect(throws: SourceError.self) { _ = try await source.next() }
        #expect(error?.description.hasPrefix("yourls.sql: an INSERT into yourls_url names no columns") == true)
    }
}
