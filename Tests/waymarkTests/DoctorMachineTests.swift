import Foundation
import Testing
import WaymarkClient
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkSockets
import WaymarkTestSupport

@testable import waymark

/// How doctor judges the machine, its configuration, and which hosts it takes.
@Suite struct DoctorMachineTests {
    private static let now: Int64 = 784_111_777

    @Test(
        arguments: [
            (["Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 0),
            (["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Age": "100"], -100),
            (["Date": "Sun, 06 Nov 1994 08:48:00 GMT", "Age": "-5"], 97),
            (["Date": "yesterday"], nil), ([:], nil),
        ] as [([String: String], Int64?)])
    func readsClocksOfOthers(fields: [String: String], ahead: Int64?) throws {
        let response = HTTPResponse(status: 200, fields: fields.map { ($0.key, $0.value) })
        #expect(ClockCheck.Sample(host: "a.example", response, now: Self.now)?.ahead == ahead)
    }

    @Test(
        arguments: [
            ([60], DoctorFinding.State.ok), ([-60], .ok), ([61], .finding), ([-61], .finding), ([], .skipped),
            ([0, 900], .ok),
        ] as [([Int64], DoctorFinding.State)])
    func judgesTheClock(ahead: [Int64], state: DoctorFinding.State) {
        let samples = ahead.map { ClockCheck.Sample(host: "a.example", ahead: $0) }
        #expect(ClockCheck.finding(samples).state == state)
    }

    @Test(
        arguments: [
            (2 << 30, 1_000_000, 100_000, DoctorFinding.State.ok),
            (1 << 29, 1_000_000, 100_000, .finding),
            (2 << 30, 1_000_000, 9_999, .finding),
            (2 << 30, 0, 0, .ok),
        ] as [(Int64, Int64, Int64, DoctorFinding.State)])
    func judgesTheDisk(free: Int64, nodes: Int64, freeNodes: Int64, state: DoctorFinding.State) {
        let seen = DiskCheck.Observation(
            folder: "/var/lib", freeBytes: free, bytes: 4 << 30, freeNodes: freeNodes, nodes: nodes)
        #expect(DiskCheck.finding(seen).state == state)
    }

    @Test func observesTheDiskOfAFolderThatIsNotThereYet() throws {
        let folder = try TemporaryFolder()
        let seen = try #require(DiskCheck.observe(folder.path("a/b/c")))
        #expect(seen.folder == URL(fileURLWithPath: folder.path).standardizedFileURL.path)
        #expect(seen.bytes > 0)
        #expect(DiskCheck.finding(nil).state == .skipped)
    }

    @Test(
        arguments: [
            (["0.0.0.0:443"], ["127.0.0.1:8080"], DoctorFinding.State.ok),
            ([], ["0.0.0.0:80"], .ok), (["0.0.0.0:8443"], [], .ok), (["unix:/run/w.sock"], [], .ok),
            (["127.0.0.1:443"], [], .finding), ([], ["[::1]:80"], .finding), (["127.0.0.2:443"], [], .finding),
            (["127.0.0.1:443"], ["0.0.0.0:80"], .ok), (["127.0.0.1:443"], ["unix:/run/w.sock"], .ok),
            ([], ["127.0.0.1:8080"], .finding), (["127.0.0.1:8443"], ["localhost:8080"], .finding), ([], [], .finding),
        ] as [([String], [String], DoctorFinding.State)])
    func judgesListenersForACME(tls: [String], plain: [String], state: DoctorFinding.State) {
        func endpoints(_ texts: [String]) -> [ListeningEndpoint] { texts.compactMap { ListenSetting($0)?.endpoint } }
        let finding = ConfigurationCheck.acme(isConfigured: true, tls: endpoints(tls), plain: endpoints(plain))
        #expect(finding?.state == state)
        #expect(ConfigurationCheck.acme(isConfigured: false, tls: [], plain: []) == nil)
    }

    @Test func judgesTheLimitOfOpenFiles() {
        var limits = ServerLimits()
        limits.connections = 500
        let enough = ConfigurationCheck.openFiles(threads: 1, limits: limits, served: 1_024)
        #expect(enough.state == .ok)
        #expect(enough.detail == "the server may open 1024, for limits.connections of 500")
        #expect(ConfigurationCheck.openFiles(threads: 1, limits: limits, served: 64).state == .finding)
        limits.connections = 1
        let own = ConfigurationCheck.openFiles(threads: 1, limits: limits, served: nil)
        #expect(own.detail.hasPrefix("no server answers; this process may open ") && own.state == .ok)
    }

    @Test(
        arguments: [("process_max_fds 65536\n", 65_536), ("process_open_fds 3\n", nil), ("", nil)] as [(String, Int?)])
    func readsTheLimitOfTheServer(metrics: String, limit: Int?) {
        #expect(ServiceProbe.descriptors(in: MetricSamples(metrics)) == limit)
    }

    @Test func tellsForbiddenFilesFromMissingOnes() {
        let reason = JSONFile.unreadable("/closed/key", CocoaError(.fileReadNoPermission))
        #expect(reason == "may not be read by this user")
        #expect(JSONFile.unreadable("/closed/key", CocoaError(.fileReadNoSuchFile)) == "does not exist")
        #expect(JSONFile.unreadable("/", CocoaError(.fileReadUnknown)) == "can't be read")
    }

    @Test func explainsDatabasesThatCanNotBeUsed() throws {
        let folder = try TemporaryFolder()
        #expect(DatabaseCheck.finding(.memory).state == .finding)
        let missing = DatabaseCheck.finding(.file(folder.path("missing.sqlite")))
        #expect(missing.state == .finding)
        #expect(missing.detail.hasSuffix("missing.sqlite does not exist"))
        let other = folder.path("other.sqlite")
        try Data("not a database, but a text that is long enough to be read as one".utf8).write(
            to: URL(fileURLWithPath: other))
        #expect(DatabaseCheck.finding(.file(other)).state == .finding)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read any file"))
    func namesFilesThatMayNotBeRead() throws {
        let folder = try TemporaryFolder()
        let inner = folder.path("inner")
        try FileManager.default.createDirectory(
            atPath: inner, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o000])
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner) }
        let finding = DatabaseCheck.finding(.file(folder.path("inner/waymark.sqlite")))
        #expect(finding.state == .finding)
        #expect(finding.detail.hasSuffix("waymark.sqlite may not be read by this user"))
        let failure = #expect(throws: CommandFailure.self) {
            try JSONFile.bytes(folder.path("inner/waymark.json"))
        }
        #expect(failure?.message.hasSuffix("waymark.json: the file may not be read by this user") == true)
    }

    @Test(arguments: [
        ("go.example.com", "go.example.com", 443), ("GO.example.com.", "go.example.com", 443),
        ("go.example.com:8443", "go.example.com:8443", 8_443), ("[::1]:8443", "[::1]:8443", 8_443),
        ("::1", "[::1]", 443), ("127.0.0.1", "127.0.0.1", 443),
    ])
    func readsHosts(text: String, name: String, port: Int) throws {
        let target = try DoctorTarget(argument: text)
        #expect(target.name == name)
        #expect(target.port == port)
    }

    @Test(arguments: [
        "", "https://go.example.com", "go example", "go.example.com:", "go.example.com:0", "go.example.com:99999",
        "a/b",
    ])
    func refusesWhatIsNoHost(text: String) {
        #expect(throws: CommandFailure.self) { try DoctorTarget(argument: text) }
    }

    @Test func takesTheHostsOfApplications() {
        let documents = [
            #"{"id":"a","domains":["go.example.com"],"openHost":"open.example.com","ios":{"appIDs":["ABCDE12345.com.example.a"]}}"#,
            #"{"id":"b","domains":["b.example.com"],"android":{"package":"com.example.b"}}"#, "{", #"{"id":"c"}"#,
        ]
        let targets = DoctorTarget.targets(ofApplications: documents.map { Array($0.utf8) })
        #expect(targets.map(\.host) == ["go.example.com", "open.example.com", "b.example.com"])
        #expect(targets.map(\.hasIOSApp) == [true, true, false])
        #expect(targets.map(\.hasAndroidApp) == [false, false, false])
    }

    @Test func printsGroupsInAlignedColumns() {
        let report = DoctorReport(findings: [
            DoctorFinding.ok(.dns, "1.2.3.4").of("a.example"),
            DoctorFinding.finding(.certificate, "it expired", fix: "renew it").of("a.example"),
            .skipped(.clock, "no host answers"),
        ])
        #expect(
            report.text == """
                a.example
                  ok       dns          1.2.3.4
                  finding  certificate  it expired; renew it

                this machine
                  skipped  clock        no host answers

                1 finding, 1 skipped
                """)
        #expect(!report.isGood)
        #expect(
            report.jsonValue.text()
                == #"{"findings":[{"host":"a.example","check":"dns","state":"ok","detail":"1.2.3.4","fix":null},{"host":"a.example","check":"certificate","state":"finding","detail":"it expired","fix":"renew it"},{"host":null,"check":"clock","state":"skipped","detail":"no host answers","fix":null}]}"#
        )
    }
}
