import Testing
import WaymarkHTTP

@testable import WaymarkSite

/// What is foreseen of a visit before its request is parsed.
@Suite struct VisitForecastTests {
    private static let host = "go.example.com"
    private static let browser = "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0\r\n"

    private static func get(_ target: String, host: String = host) -> String {
        "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(browser)\r\n"
    }

    /// The request's tag by the cache itself, and by a forecast that has looked at `seen` before.
    private static func tags(
        _ cache: VisitCache, _ forecast: VisitForecast, of text: String, seen: String?
    ) throws -> (own: UInt32, foreseen: UInt32?, told: UInt32) {
        let foreseen = seen.flatMap { forecast.foresee(Array($0.utf8).span) }
        let (head, bytes) = (RequestHead(), Array(text.utf8))
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head) else { throw Unreadable() }
        return (cache.tag(bytes.span, head.host, head.path), foreseen, forecast.tag(of: head, bytes.span))
    }

    private struct Unreadable: Error {}

    @Test(arguments: ["/", "/x", "/promotion", "/a-slug_of~sixteen", "/" + String(repeating: "s", count: 59)])
    func isTheTagOfThePathAtTheHostBefore(path: String) throws {
        let cache = VisitCache(byteLimit: 1 << 20)
        let forecast = VisitForecast(cache)
        #expect(try Self.tags(cache, forecast, of: Self.get("/other"), seen: nil).foreseen == nil)
        let tags = try Self.tags(cache, forecast, of: Self.get(path), seen: Self.get(path))
        #expect(tags.foreseen == tags.own)
        #expect(tags.told == tags.own)
    }

    @Test(arguments: [
        "POST /x HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\(browser)\r\n",
        "HEAD /x HTTP/1.1\r\nHost: \(host)\r\n\(browser)\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
        get("/" + String(repeating: "s", count: 80)),
        "",
    ])
    func isNoneOfWhatVisitorsSeldomSend(text: String) throws {
        let cache = VisitCache(byteLimit: 1 << 20)
        let forecast = VisitForecast(cache)
        _ = try Self.tags(cache, forecast, of: Self.get("/x"), seen: nil)
        #expect(forecast.foresee(Array(text.utf8).span) == nil)
    }

    /// Whatever was foreseen, and of whatever: the tag that is looked for is the request's.
    @Test(arguments: [
        (get("/one"), get("/three")),
        (get("/one"), get("/one", host: "other.example")),
        (get("/one"), get("/one", host: String(repeating: "long.", count: 20) + "example")),
        (get("/one"), get("/one?utm_source=x")),
        (get("/one?utm_source=x"), get("/one")),
        (get("/one"), get("http://\(host)/one")),
        (get("http://\(host)/one"), get("/one")),
        ("\r\n" + get("/one"), get("/one")),
        (get("/one"), "GET /one HTTP/1.0\r\n\r\n"),
        (get("/one"), "HEAD /one HTTP/1.1\r\nHost: \(host)\r\n\r\n"),
    ])
    func misleadsNobody(seen: String, text: String) throws {
        let cache = VisitCache(byteLimit: 1 << 20)
        let forecast = VisitForecast(cache)
        for first in [Self.get("/first"), Self.get("/one", host: "other.example"), "GET / HTTP/1.0\r\n\r\n"] {
            _ = try Self.tags(cache, forecast, of: first, seen: nil)
            // Twice, because what was foreseen of the first must not be taken for the second.
            for seen in [seen, nil] {
                let tags = try Self.tags(cache, forecast, of: text, seen: seen)
                #expect(tags.told == tags.own, "after \(first)")
            }
        }
    }
}
