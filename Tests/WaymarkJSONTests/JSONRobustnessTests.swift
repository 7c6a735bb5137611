import Testing
import WaymarkJSON

@Suite struct JSONRobustnessTests {
    /// Every construct of the grammar once, in an object, so that no proper prefix is JSON.
    private static let document =
        Array(
            #"{"app":"shop","route":"p/:id","urls":{"ios":{"link":"shop:\/\/p","fallback":null}},"n":[-0.5e+10,12,1E-2,0],"#
                .utf8)
        + Array(#""text":"é€😀 \u00e9\ud83d\ude00\n\"","flags":[true,false,null,[],{}],"é":" "}"#.utf8)

    @Test func readsTheDocumentItself() throws {
        let value = try JSONValue(parsing: Self.document)
        #expect(value["text"]?.string == "é€😀 é😀\n\"")
        #expect(value["flags"]?.array?.count == 5)
    }

    @Test func refusesEveryProperPrefix() {
        for length in 0..<Self.document.count {
            #expect(throws: JSONError.self, "prefix of \(length) bytes") {
                try JSONValue(parsing: Array(Self.document.prefix(length)))
            }
        }
    }

    /// What still is JSON after a change must be written and read again without loss; the rest must be an error inside of
    /// the text.
    @Test(arguments: 0..<8)
    func survivesRandomChanges(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let telling = Array("{}[],:\"\\u0eE+-. \n\0tfn/DdC8".utf8) + [0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        for _ in 0..<3_000 {
            var bytes = Self.document
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] = telling.randomElement(using: &random) ?? 0
                case 2: bytes.remove(at: index)
                default: bytes.insert(telling.randomElement(using: &random) ?? 0, at: index)
                }
            }
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes)
                let again = try JSONValue(parsing: value.bytes())
                #expect(again == value)
                #expect(again.canonicalBytes == value.canonicalBytes)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(error.line >= 1 && error.column >= 1 && !error.problem.isEmpty)
            }
        }
    }

    @Test(arguments: 0..<4)
    func survivesRandomBytes(seed: UInt64) {
        var random = SplitMix(state: seed &+ 100)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let value = try? JSONValue(parsing: bytes) { #expect((try? JSONValue(parsing: value.bytes())) == value) }
        }
    }
}

/// A generator with a seed, so that a failure comes again.
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
