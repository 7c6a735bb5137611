import Testing
import WaymarkSite

@Suite(.enabled(if: QRCode.isAvailable, "the package trait QRCode is off"))
struct QRCodeTests {
    /// The capacities of ISO/IEC 18004 in byte mode: the last text of a version, and the first of the next one.
    @Test(arguments: [
        (1, ErrorCorrection.medium, 21), (14, .medium, 21), (15, .medium, 25), (26, .medium, 25), (27, .medium, 29),
        (42, .medium, 29), (17, .low, 21), (18, .low, 25), (7, .high, 21), (8, .high, 25), (11, .quartile, 21),
        (12, .quartile, 25), (213, .medium, 57), (214, .medium, 61),
    ])
    func takesTheSmallestVersionThatHoldsTheBytes(count: Int, errorCorrection: ErrorCorrection, side: Int) throws {
        let code = try #require(QRCode(text: String(repeating: "7", count: count), errorCorrection: errorCorrection))
        #expect(code.modules.side == side)
    }

    @Test(arguments: ErrorCorrection.allCases)
    func holdsAsManyBytesAsTheLimitSaysAndNoMore(errorCorrection: ErrorCorrection) {
        let longest = String(repeating: "x", count: errorCorrection.byteLimit)
        #expect(QRCode(text: longest, errorCorrection: errorCorrection)?.modules.side == 177)
        #expect(QRCode(text: longest + "x", errorCorrection: errorCorrection) == nil)
    }

    @Test func countsBytesAndNotCharacters() {
        #expect(QRCode(text: String(repeating: "ü", count: 1165)) != nil)
        #expect(QRCode(text: String(repeating: "ü", count: 1166)) == nil)
    }

    @Test(arguments: [3000, 70_000, 5_000_000])
    func refusesAnyLengthPastTheLimit(count: Int) {
        #expect(QRCode(text: String(repeating: "x", count: count), errorCorrection: .low) == nil)
    }

    @Test func refusesAnEmptyText() {
        #expect(QRCode(text: "") == nil)
    }

    @Test func `a code has medium error correction by default`() {
        let text = "https://go.example.com/Ab3dE9x"
        #expect(QRCode(text: text) == QRCode(text: text, errorCorrection: .medium))
        #expect(QRCode(text: text) != QRCode(text: text, errorCorrection: .low))
    }

    /// The three squares that scanners look for: a dark ring, a light one, a dark core.
    @Test func carriesTheFinderPatterns() throws {
        let modules = try #require(QRCode(text: "https://go.example.com/Ab3dE9x")).modules
        let last = modules.side - 7
        for (top, left) in [(0, 0), (0, last), (last, 0)] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let ring = max(abs(row - 3), abs(column - 3))
                    #expect(modules[row: top + row, column: left + column] == (ring != 2))
                }
            }
        }
    }

    @Test func makesTheSameCodesOnManyThreadsAtOnce() async throws {
        let texts = (1...200).map { String(repeating: "https://go.example.com/", count: 1 + $0 % 40) + "\($0)" }
        let together = await withTaskGroup(of: QRCode?.self) { group in
            for text in texts { group.addTask { QRCode(text: text) } }
            return await group.reduce(into: [String: QRCode]()) { codes, code in
                if let code { codes[code.text] = code }
            }
        }
        #expect(together.count == texts.count)
        for text in texts {
            #expect(together[text] == QRCode(text: text))
        }
    }
}

/// Holds in builds without libqrencode.
@Suite(.enabled(if: !QRCode.isAvailable, "the package trait QRCode is on"))
struct QRCodeUnavailableTests {
    @Test(arguments: ["a", "https://go.example.com/Ab3dE9x"])
    func makesNoCode(text: String) {
        #expect(QRCode(text: text) == nil)
    }
}
