import Testing
import WaymarkSite

/// What a scanner reads is what was written. Needs libqrencode and zbarimg.
@Suite(
    .enabled(if: QRCode.isAvailable, "the package trait QRCode is off"),
    .enabled(if: Barcodes.program != nil, Barcodes.reason))
struct QRCodeScanTests {
    @Test(arguments: [
        "a",
        "https://go.example.com/Ab3dE9x",
        "HTTP://GO.EXAMPLE.COM/123456789",
        "0123456789",
        "https://go.example.com/Summer_sale.2026-10?utm_source=poster&x=%20%2B",
        "line one\nline two\r\n\ttabbed",
        "http://127.0.0.1:8080/" + String(repeating: "s", count: 128),
    ])
    func aScannerReadsTheText(text: String) throws {
        let code = try #require(QRCode(text: text))
        let picture = try #require(code.png())
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }

    @Test func `text beyond ASCII is in the symbol as UTF-8`() throws {
        let text = "https://go.example.com/Grüße/日本"
        let picture = try #require(QRCode(text: text)?.png())
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }

    @Test(arguments: ErrorCorrection.allCases)
    func aScannerReadsEveryErrorCorrection(errorCorrection: ErrorCorrection) throws {
        let text = "https://go.example.com/Ab3dE9x"
        let picture = try #require(QRCode(text: text, errorCorrection: errorCorrection)?.png())
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }

    @Test(arguments: [
        ("#102A43", "#FFF4E0"), ("000", "AAE0FF"), ("E60000", "FFFFFF"), ("006400", "FFFFFF"), ("0000FF", "FFFFFF"),
        ("FF7A00", "FFFFFF"), ("B00020", "FFEB3B"), ("000", "C8C8C8"),
    ])
    func aScannerReadsColours(dark: String, light: String) throws {
        let colours = try (
            #require(QRCodeColor(hexadecimal: dark)), #require(QRCodeColor(hexadecimal: light))
        )
        let palette = try #require(QRCodePalette(dark: colours.0, light: colours.1))
        let text = "https://go.example.com/Ab3dE9x"
        let picture = try #require(QRCode(text: text)?.png(palette: palette))
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }

    @Test(arguments: ErrorCorrection.allCases)
    func aScannerReadsTheLongestText(errorCorrection: ErrorCorrection) throws {
        let text = String(repeating: "abcdefghijklmnopqrstuvwxyz/0123456789?", count: 100)
            .prefix(errorCorrection.byteLimit)
        let code = try #require(QRCode(text: String(text), errorCorrection: errorCorrection))
        #expect(code.modules.side == 177)
        let picture = try #require(code.png(size: 1024))
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }

    /// From two pixels a module on: with one, zbarimg finds some codes and misses others, depending on where they stand.
    @Test(arguments: [(74, 4), (75, 4), (100, 0), (127, 16), (512, 4), (513, 1), (1000, 7), (2047, 16), (2048, 0)])
    func aScannerReadsEverySize(size: Int, margin: Int) throws {
        let text = "https://go.example.com/Ab3dE9x"
        let picture = try #require(QRCode(text: text)?.png(size: size, margin: margin))
        #expect(try Barcodes.read(picture) == Array(text.utf8))
    }
}
