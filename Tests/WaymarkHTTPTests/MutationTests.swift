import Testing
import WaymarkHTTP

/// The same numbers in every run, so that a failure can be repeated.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite struct MutationTests {
    /// Bytes that mean something to a parser.
    static let meaningful = Array("\r\n\t :/?#%*,;=\"\\@[]0159AFafGHx\0\u{7F}".utf8) + [0x80, 0xFF]

    /// A fixture with a few bytes changed, inserted or removed.
    private static func mutate(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            let byte = meaningful.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = byte
            case 1: bytes.insert(byte, at: index)
            case 2: bytes.remove(at: index)
            default:
                let end = min(bytes.count, index + Int.random(in: 1..<24, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }

    @Test(arguments: [Fixture.all(in: "accept"), Fixture.all(in: "reject")])
    func comesToTheSameVerdictHoweverARequestIsCut(_ fixtures: [Fixture]) {
        var random = SplitMix(state: 1)
        let head = RequestHead()
        for fixture in fixtures {
            for _ in 0..<15 {
                let bytes = Self.mutate(fixture.bytes, &random)
                let whole = feed(bytes, into: head)
                let cut = Int.random(in: 0...bytes.count, using: &random)
                let inTwo = feed(bytes, cutAt: [cut], into: head)
                let byByte = feed(bytes, cutAt: 0..<bytes.count, into: head)
                let shown = String(decoding: bytes, as: UTF8.self).debugDescription
                #expect(inTwo == whole, "cut at \(cut): \(shown)")
                #expect(byByte == whole, "byte by byte: \(shown)")
            }
        }
    }

    @Test func staysWithinTheBytesOfTheHead() {
        var random = SplitMix(state: 2)
        let head = RequestHead()
        for fixture in Fixture.all(in: "accept") {
            for _ in 0..<100 {
                let bytes = Self.mutate(fixture.bytes, &random)
                guard case .head(let length) = feed(bytes, into: head) else { continue }
                let ranges =
                    [head.target, head.path, head.query ?? .empty, head.host]
                    + RequestField.allCases.compactMap { head.value($0) }
                    + (0..<head.fieldCount).flatMap { [head.field(at: $0).name, head.field(at: $0).value] }
                #expect(ranges.allSatisfy { $0.start >= 0 && $0.start <= $0.end && Int($0.end) <= length })
                #expect(bytes[..<length].suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A])
            }
        }
    }
}
