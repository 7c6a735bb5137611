import Testing
import WaymarkHTTP

/// The order of RFC 9110 section 13.2.2, for a version with the tag "7" that was changed at 08:49:37.
@Suite struct PreconditionsTests {
    private static let now = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let sooner = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private let modified = HTTPDate(unixSeconds: 784_111_777)

    private func preconditions(_ lines: [String], since: Int64 = 100) -> Preconditions {
        let bytes = Array((["GET / HTTP/1.1", "Host: a"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
        let head = RequestHead()
        #expect(feed(bytes, into: head) == .head(bytes.count))
        return Preconditions(head, in: bytes.span, now: modified.unixSeconds + since)
    }

    private func outcome(_ lines: [String]) throws -> Preconditions.Outcome {
        preconditions(lines).outcome(tag: try #require(EntityTag("7")), modified: modified)
    }

    @Test(arguments: [
        [], ["If-Match: \"7\""], ["If-Match: *"], ["If-Match: \"6\", \"7\""], ["If-Match: \"6\"", "If-Match: \"7\""],
        ["If-Unmodified-Since: \(now)"], ["If-Unmodified-Since: \(later)"], ["If-Unmodified-Since: nonsense"],
        ["If-Unmodified-Since: \(sooner)", "If-Unmodified-Since: \(sooner)"],
        ["If-None-Match: \"6\""], ["If-None-Match:"], ["If-Modified-Since: \(sooner)"],
        ["If-Modified-Since: Sun Nov  6 08:49:36 1994"], ["If-Modified-Since: Sunday, 06-Nov-94 08:49:36 GMT"],
        ["If-Modified-Since: 784111777"], ["If-Modified-Since: Sun, 31 Feb 1995 08:49:37 GMT"],
        ["If-Modified-Since: \(now)", "If-Modified-Since: \(now)"], ["If-Modified-Since: \(now), \(now)"],
        // Tags count more than times.
        ["If-None-Match: \"6\"", "If-Modified-Since: \(now)"], ["If-Match: \"7\"", "If-Unmodified-Since: \(sooner)"],
        ["If-None-Match: 7", "If-Modified-Since: \(now)"],
    ])
    func proceeds(_ lines: [String]) throws {
        #expect(try outcome(lines) == .proceed)
    }

    @Test(arguments: [
        ["If-None-Match: \"7\""], ["If-None-Match: W/\"7\""], ["If-None-Match: *"],
        ["If-None-Match: \"6\"", "If-None-Match: \"7\""], ["If-Modified-Since: \(now)"],
        ["If-Modified-Since: \(later)"], ["If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"],
        ["If-Modified-Since: Sun Nov  6 08:49:37 1994"], ["If-None-Match: \"7\"", "If-Modified-Since: \(sooner)"],
        ["If-Match: \"7\"", "If-None-Match: \"7\""], ["If-Unmodified-Since: \(now)", "If-Modified-Since: \(now)"],
    ])
    func knowsWhatTheClientHas(_ lines: [String]) throws {
        #expect(try outcome(lines) == .notModified)
    }

    @Test(arguments: [
        ["If-Match: \"6\""], ["If-Match: W/\"7\""], ["If-Match:"], ["If-Match: 7"],
        ["If-Unmodified-Since: \(sooner)"], ["If-Unmodified-Since: Sun Nov  6 08:49:36 1994"],
        // The first condition that fails decides.
        ["If-Match: \"6\"", "If-None-Match: \"7\""], ["If-Unmodified-Since: \(sooner)", "If-None-Match: \"7\""],
        ["If-Match: \"6\"", "If-Unmodified-Since: \(later)"],
    ])
    func failsForAnotherVersion(_ lines: [String]) throws {
        #expect(try outcome(lines) == .failed)
    }

    @Test(arguments: [
        (["If-Modified-Since: \(later)"], Preconditions.Outcome.proceed),
        (["If-Unmodified-Since: \(sooner)"], .proceed),
        (["If-None-Match: \"7\"", "If-Modified-Since: \(sooner)"], .notModified), (["If-Match: \"6\""], .failed),
    ])
    func ignoresDatesWhereTheModificationIsUnknown(_ lines: [String], _ expected: Preconditions.Outcome) throws {
        #expect(preconditions(lines).outcome(tag: try #require(EntityTag("7")), modified: nil) == expected)
    }

    @Test(arguments: [
        ([], true), (["If-Range: \"7\""], true), (["If-Range: W/\"7\""], false), (["If-Range: \"6\""], false),
        (["If-Range: \(now)"], true), (["If-Range: \(later)"], false), (["If-Range: \(sooner)"], false),
        (["If-Range: Sun Nov  6 08:49:37 1994"], true), (["If-Range: nonsense"], false), (["If-Range:"], false),
        (["If-Range: \"7\"", "If-Range: \"7\""], false), (["If-Range: 7"], false),
        (["If-Range: \"6\", \"7\""], false), (["If-Range: *"], false), (["If-Range: \""], false),
    ])
    func allowsRangesOfJustThisVersion(_ lines: [String], _ allows: Bool) throws {
        let tag = try #require(EntityTag("7"))
        #expect(preconditions(lines).allowRange(tag: tag, modified: modified) == allows)
    }

    @Test func doesNotTrustATimeWithinWhichTheFileMayStillChange() throws {
        let tag = try #require(EntityTag("7"))
        for (since, allows) in [(Int64(0), false), (-1, false), (1, true)] {
            let preconditions = preconditions(["If-Range: \(Self.now)"], since: since)
            #expect(preconditions.allowRange(tag: tag, modified: modified) == allows)
        }
    }

    @Test func doesNotTakeAWeakTagForARange() throws {
        let tag = try #require(EntityTag("7", isWeak: true))
        #expect(!preconditions(["If-Range: \"7\""]).allowRange(tag: tag, modified: modified))
    }
}
