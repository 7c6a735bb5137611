import Testing
import WaymarkLinks

@testable import WaymarkService

@Suite struct ClickBufferTests {
    private func click(on link: Int64, referrerHost: Click.Name? = nil) -> Click {
        Click(
            link: LinkID(rawValue: link), time: Timestamp(seconds: 1_790_000_000),
            kind: UserAgent.classify("Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0"), destination: .web,
            referrerHost: referrerHost)
    }

    private func drained(_ buffer: ClickBuffer) -> (links: [Int64], parts: Int) {
        var links: [Int64] = []
        var parts = 0
        buffer.drain { clicks in
            for slot in clicks.indices { links.append(clicks[slot].link.rawValue) }
            parts += 1
        }
        return (links, parts)
    }

    @Test func clicksComeOutInTheirOrderWhereverTheRingEnds() {
        let buffer = ClickBuffer(capacity: 8, wake: {}, empty: { _ in })
        var next: Int64 = 0
        for count in [5, 5, 8, 0, 1, 7, 3, 8] {
            let begun = next
            for _ in 0..<count {
                buffer.record(click(on: next))
                next += 1
            }
            let (links, parts) = drained(buffer)
            #expect(links == Array(begun..<next))
            #expect(parts <= 2)
        }
        #expect(buffer.recorded == Int(next))
    }

    @Test func `a full ring without a reader is emptied`() {
        let buffer = ClickBuffer(capacity: 8, wake: {}, empty: { _ in })
        for number in Int64(0)..<20 { buffer.record(click(on: number)) }
        #expect(drained(buffer).links == Array(16..<20))
    }

    @Test func namesLiveAsLongAsTheirClicksAndNoLonger() {
        weak var name: Click.Name?
        let buffer = ClickBuffer(capacity: 8, wake: {}, empty: { _ in })
        for _ in 0..<3 {
            do {
                let made = Click.Name("news.example")
                name = made
                let click = click(on: 1, referrerHost: made)
                for _ in 0..<5 { buffer.record(click) }
            }
            #expect(name != nil)
            buffer.drain { _ in }
            #expect(name == nil)
        }
    }
}
