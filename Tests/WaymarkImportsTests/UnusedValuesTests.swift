import Testing
import WaymarkAPI
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// What a source says and no link takes over is named.
@Suite struct UnusedValuesTests {
    struct Source: Sendable {
        let service: ForeignService
        let text: String
        let notes: [String]
    }

    static let sources: [Source] = [
        Source(
            service: .csv,
            text: "slug,urls.web,Owner,Team\na,https://a.example/,Ann,\nb,https://a.example/,Bo,0\n",
            notes: ["the column \"Owner\" was not used: 2 rows have a value in it"]),
        Source(
            service: .csv,
            text: "slug,urls.web,X\na,https://a.example/,null\nb,https://a.example/,\\N\nc,https://a.example/, \n",
            notes: []),
        Source(
            service: .bitly,
            text: "link,id,long_url\nbit.ly/a,bit.ly/a,https://a.example/\nbit.ly/b,b,https://a.example/\n",
            notes: ["the column \"id\" was not used: 1 row has a value in it"]),
        Source(
            service: .shortio,
            text: "short_url,original_url,path,expire_at,folder_name\n"
                + "https://go.example.com/a,https://a.example/,a,2024-01-01T00:00:00Z,Spring\n",
            notes: ["the column \"folder_name\" was not used: 1 row has a value in it"]),
        Source(
            service: .waymark,
            text: #"{"slug": "a", "urls": {"web": "https://a.example/"}, "id": "x", "y": 0, "z": []}"#,
            notes: ["the member \"id\" was not used: 1 row has a value in it"]),
        Source(
            service: .branch,
            text: #"{"type": 1, "duration": 9, "data": {"url": "https://x.app.link/a", "$exp_date": 1, "product": 7}}"#,
            notes: [
                "the member \"$exp_date\" was not used: 1 row has a value in it",
                "the member \"duration\" was not used: 1 row has a value in it",
            ]),
    ]

    @Test(arguments: sources) func columnsAndMembersAreNamed(source: Source) async throws {
        let links = try await source.service.links(in: [file(source.text)])
        _ = try await links.all()
        #expect(links.notes == source.notes)
    }

    @Test func columnsOfSeveralFilesAreCountedTogether() async throws {
        let text = "slug,urls.web,Owner\na,https://a.example/,Ann\n"
        let source = try await ForeignService.csv.links(in: [file(text), file(text)])
        _ = try await source.all()
        #expect(source.notes == ["the column \"Owner\" was not used: 2 rows have a value in it"])
    }

    @Test func aHundredNamesAreKeptAtMost() async throws {
        let names = (0..<1_000).map { "\"m\($0)\": 1" }.joined(separator: ", ")
        let source = try await ForeignService.waymark.links(in: [file("{\(names)}")])
        _ = try await source.all()
        #expect(source.notes.count == 101 && source.notes.last == "more than 100 members were not used")
    }

    @Test(
        arguments: [
            (ForeignService.bitly, #"{"link": "bit.ly/a", "long_url": "https://a.example/", "created_by": "x"}"#),
            (.dub, #"{"key": "a", "url": "https://a.example/", "trackConversion": true, "image": null}"#),
            (.rebrandly, #"{"slashtag": "a", "status": "active", "integrated": true}"#),
            (.shortio, #"{"path": "a", "originalURL": "https://a.example/", "FolderId": "x"}"#),
            (.kutt, #"{"address": "a", "target": "https://a.example/", "reuse": true}"#),
            (.yourls, #"{"shorturl": "https://s.example/a", "ip": "192.0.2.1"}"#),
            (.shlink, #"{"shortCode": "a", "crawlable": true, "title": null}"#),
        ])
    func membersOfAnswersAreNamed(service: ForeignService, answer: String) throws {
        let value = try JSONValue(parsing: Array(answer.utf8))
        let (link, unused) =
            switch service {
            case .bitly: (ForeignLink.bitly(value, ForeignTime()), "created_by")
            case .dub: (ForeignLink.dub(value, ForeignTime()), "trackConversion")
            case .rebrandly: (ForeignLink.rebrandly(value, ForeignTime()), "integrated")
            case .shortio: (ForeignLink.shortIO(value, ForeignTime()), "FolderId")
            case .kutt: (ForeignLink.kutt(value, ForeignTime()), "reuse")
            case .yourls: (ForeignLink.yourls(value, ForeignTime()), "ip")
            default: (ForeignLink.shlink(value, ForeignTime()), "crawlable")
            }
        #expect(link.unused == [unused])
    }

    @Test func notesAreTheLastLinesOfTheReport() {
        var bytes: [UInt8] = []
        ImportReport.append(notes: ["the column \"X\" was not used", "=1"], to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self) == ",note,,,\"the column \"\"X\"\" was not used\"\n,note,,,'=1\n")
    }

    @Test func headingsOfFirebaseAreKnownByTheNameInParentheses() async throws {
        let text =
            "Short link,Deep link (link),Android package name (apn),Android fallback link (afl),"
            + "iOS bundle ID (ibi),iOS app store ID (isi),Enable forced redirect? (efr),Desktop fallback link (ofl),"
            + "Social title (st),UTM source (utm_source),iTunes connect at,iTunes connect pt,Archived?,Link name\n"
            + "https://go.example.com/a,https://a.example/,com.example.shop,https://f.example/,com.example.shop,1,true,"
            + "https://d.example/,Sale,news,A,P,false,Spring\n"
        let source = try await ForeignService.fdl.links(in: [file(text)])
        let link = try #require(try await source.all().first).link
        #expect(
            link.firebase == [
                .link: "https://a.example/", .apn: "com.example.shop", .afl: "https://f.example/",
                .ibi: "com.example.shop", .isi: "1", .efr: "true", .ofl: "https://d.example/", .st: "Sale",
                .utmSource: "news", .at: "A", .pt: "P",
            ])
        #expect(link.draft.title == "Spring" && source.notes.isEmpty)
    }

    @Test(
        arguments: [
            ("Custom Link", "https://go.example.com/summer", ["summer"]), ("custom_bitlinks", "[]", []),
            (
                "custom_bitlinks", "\"[\"\"https://go.example.com/winter\"\", \"\"go.example.com/x\"\"]\"",
                ["winter", "x"]
            ),
        ])
    func customLinksOfBitlyAreFurtherSlugs(heading: String, cell: String, slugs: [String]) async throws {
        let text = "Link,\(heading),Destination URL\nhttps://go.example.com/a,\(cell),https://a.example/\n"
        let rows = try await ForeignService.bitly.links(in: [file(text)]).all()
        #expect(rows.map { $0.link.aliases.map(\.slug) } == [slugs])
        #expect(rows.first?.link.refusal == nil)
    }

    @Test func nullIsNoTimeAndNoNumber() async throws {
        let text = "key,domain,url,expiresAt,clicks,createdAt\na,go.example.com,https://a.example/,null,NULL,null\n"
        let link = try #require(try await ForeignService.dub.links(in: [file(text)]).all().first).link
        #expect(link.refusal == nil && link.draft.expiresAt == nil && link.notes.isEmpty)
    }
}
