import Testing
import WaymarkHTTP

@Suite struct FixtureTests {
    static let accepted = Fixture.all(in: "accept")
    static let rejected = Fixture.all(in: "reject")

    @Test func findsTheFixtures() {
        #expect(Self.accepted.count >= 40)
        #expect(Self.rejected.count >= 80)
    }

    @Test(arguments: accepted)
    func acceptsTheRequest(_ fixture: Fixture) {
        #expect(feed(fixture.bytes) == .head(fixture.bytes.count))
    }

    @Test(arguments: rejected)
    func rejectsTheRequest(_ fixture: Fixture) throws {
        let status = try #require(fixture.expectedStatus)
        #expect(feed(fixture.bytes) == .status(status))
    }

    @Test(arguments: accepted)
    func readsTheSameHoweverTheRequestIsCut(_ fixture: Fixture) {
        let head = RequestHead()
        #expect(feed(fixture.bytes, into: head) == .head(fixture.bytes.count))
        let expected = Summary(head)
        for cut in 0..<fixture.bytes.count {
            #expect(feed(fixture.bytes, cutAt: [cut], into: head) == .head(fixture.bytes.count), "cut at \(cut)")
            #expect(Summary(head) == expected, "cut at \(cut)")
        }
        #expect(feed(fixture.bytes, cutAt: 0..<fixture.bytes.count, into: head) == .head(fixture.bytes.count))
        #expect(Summary(head) == expected)
    }

    @Test(arguments: rejected)
    func rejectsTheSameHoweverTheRequestIsCut(_ fixture: Fixture) throws {
        let status = try #require(fixture.expectedStatus)
        for cut in 0..<fixture.bytes.count {
            #expect(feed(fixture.bytes, cutAt: [cut]) == .status(status), "cut at \(cut)")
        }
        #expect(feed(fixture.bytes, cutAt: 0..<fixture.bytes.count) == .status(status), "byte by byte")
    }

    @Test(arguments: accepted)
    func asksForMoreUntilTheLastByte(_ fixture: Fixture) {
        for end in 0..<fixture.bytes.count {
            #expect(feed(Array(fixture.bytes[..<end])) == .needMore, "the first \(end) bytes")
        }
    }

    @Test(arguments: accepted)
    func leavesWhatFollowsTheHead(_ fixture: Fixture) {
        for following in ["GET /next HTTP/1.1\r\n", "\r\n\r\n", "\n", "\0\0", "{\"a\": 1}"] {
            #expect(feed(fixture.bytes + Array(following.utf8)) == .head(fixture.bytes.count))
        }
    }
}

/// Everything that a head says.
private struct Summary: Equatable {
    let method: Method
    let ranges: [ByteRange?]
    let numbers: [Int?]
    let flags: [Bool]
    let framing: BodyFraming
    let fields: [[ByteRange]]

    init(_ head: RequestHead) {
        method = head.method
        ranges =
            [head.target, head.path, head.query, head.host] + RequestField.allCases.map { head.value($0) }
        numbers = [head.minorVersion, head.port]
        flags =
            [head.keepAlive, head.expectsContinue, head.isAbsoluteForm, head.isAsteriskForm, head.isPathEncoded]
            + RequestField.allCases.map { head.isRepeated($0) }
        framing = head.framing
        fields = (0..<head.fieldCount).map { [head.field(at: $0).name, head.field(at: $0).value] }
    }
}
