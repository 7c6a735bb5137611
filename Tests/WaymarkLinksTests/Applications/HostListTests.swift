import Testing

@testable import WaymarkLinks

@Suite struct HostListTests {
    private static let list = """
        \u{FEFF}# hosts
        bad.example
          *.Wild.Example   # and all below\r
        \t
        192.0.2.7
        [2001:db8::7]
        0.0.0.0 Ads.example tracker.example. # two
        127.0.0.1\tlocal.example
        ::1 six.example
        fe80::1%lo0 localhost
        127.0.0.1 localhost localhost.localdomain
        255.255.255.255 broadcasthost
        0.0.0.0 0.0.0.0
        0.0.0.0 ad_server.example
        xn--80ak6aa92e.example.
        last.example
        """

    @Test(arguments: [
        ("bad.example", true), ("a.bad.example", false), ("wild.example", false), ("x.wild.example", true),
        ("192.0.2.7", true), ("[2001:db8::7]", true), ("ads.example", true), ("tracker.example", true),
        ("local.example", true), ("six.example", true), ("localhost", false), ("broadcasthost", false),
        ("0.0.0.0", true), ("127.0.0.1", false), ("xn--80ak6aa92e.example", true), ("last.example", true),
        ("two", false),
    ])
    func readsHostsAndLinesOfHostsFiles(host: String, isIn: Bool) throws {
        let hosts = try HostList.read(Array(Self.list.utf8))
        #expect(hosts.contains(try #require(HostName(host))) == isIn)
        #expect(hosts.count == 11)
    }

    /// A line that can't be read, and what of it is named.
    @Test(arguments: [
        ("https://bad.example/", "\"https://bad.example/\""), ("bad..example", "bad..example"),
        (".bad.example", ".bad.example"), ("-a.example", "-a.example"), ("a-.example", "a-.example"),
        ("bad.example good.example", "is not an IP address"), ("*", "*"), ("*bad.example", "*bad.example"),
        ("a.*.example", "a.*.example"), ("*.192.0.2.1", "below an address"), ("bücher.example", "xn--"),
        ("bad.example:80", "bad.example:80"), ("0x7f.1", "0x7f.1"), ("2130706433", "2130706433"),
        ("||bad.example^", "||bad.example^"), ("! comment", "is not an IP address"), ("0.0.0.0 a..b", "a..b"),
        ("\(String(repeating: "a", count: 64)).example", "aaa"),
    ])
    func namesTheLineThatItCanNotRead(line: String, named: String) throws {
        let error = #expect(throws: HostList.BadLine.self) {
            try HostList.read(Array("# list\ngood.example\n\(line)\nother.example\n".utf8))
        }
        #expect(error?.number == 3)
        #expect(error?.problem.contains(named) == true, "\(error?.problem ?? "")")
    }

    @Test func survivesAnyBytes() throws {
        var random = RepeatableRandom(state: 7)
        let pieces = [
            "a", ".", "-", "_", "*.", " ", "\t", "\r", "\n", "#", "0.0.0.0 ", "[::1]", "%", ":", "xn--", "\u{FEFF}",
            "é", "1",
        ].map { Array($0.utf8) }
        var good = 0
        for _ in 0..<4_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                bytes +=
                    Int.random(in: 0..<20, using: &random) == 0
                    ? [UInt8.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
            }
            if let hosts = try? HostList.read(bytes) { good += hosts.isEmpty ? 0 : 1 }
        }
        #expect(good > 100)
    }

    @Test func takesAnEmptyText() throws {
        #expect(try HostList.read([]).isEmpty)
        #expect(try HostList.read(Array("\n\n# nothing\n".utf8)).isEmpty)
    }

    @Test func takesHundredsOfThousandsOfLines() throws {
        let text = (0..<300_000).map { "0.0.0.0 host-\($0).bad\($0 % 977).example\n" }.joined()
        let hosts = try HostList.read(Array(text.utf8))
        #expect(hosts.count == 300_000)
        for number in stride(from: 0, to: 300_000, by: 997) {
            #expect(hosts.contains(try #require(HostName("host-\(number).bad\(number % 977).example"))))
            #expect(!hosts.contains(try #require(HostName("host-\(number).bad\(number % 977 + 1).example"))))
        }
    }
}
