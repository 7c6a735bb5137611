import Testing
import WaymarkSite

@Suite struct QRCodePaletteTests {
    @Test(arguments: [
        ("#102A43", "#102A43"), ("102a43", "#102A43"), ("fff", "#FFFFFF"), ("#a0C", "#AA00CC"), ("000000", "#000000"),
    ])
    func readsHexadecimalColours(text: String, expected: String) {
        #expect(QRCodeColor(hexadecimal: text)?.hexadecimal == expected)
    }

    @Test(arguments: [
        "", "#", "ff", "ffff", "fffff", "fffffff", "ffffffff", "##fff", "+fff", "-12345", "red", "ggg", "\u{FF11}23",
        "12 ",
    ])
    func readsNothingElse(text: String) {
        #expect(QRCodeColor(hexadecimal: text) == nil)
    }

    /// Relative luminance as IEC 61966-2-1 has it, to three digits.
    @Test(arguments: [
        ("000000", 0.0), ("FFFFFF", 1.0), ("808080", 0.216), ("FF0000", 0.213), ("00FF00", 0.715), ("0000FF", 0.072),
        ("404040", 0.051), ("C0C0C0", 0.527), ("102A43", 0.022),
    ])
    func knowsHowMuchLightAColourGivesBack(text: String, expected: Double) throws {
        let color = try #require(QRCodeColor(hexadecimal: text))
        #expect(abs(color.reflectance - expected) < 0.004)
    }

    /// dark, light, whether readers can tell them apart.
    @Test(arguments: [
        ("000", "fff", true), ("fff", "000", false), ("000", "000", false), ("777", "fff", true), ("bbb", "fff", false),
        ("ffd400", "fff", false), ("000", "c8c8c8", true), ("000", "bbb", false), ("e60000", "fff", true),
    ])
    func takesDarkOnLightWithEnoughContrast(dark: String, light: String, isReadable: Bool) throws {
        let dark = try #require(QRCodeColor(hexadecimal: dark))
        let light = try #require(QRCodeColor(hexadecimal: light))
        #expect((QRCodePalette(dark: dark, light: light) != nil) == isReadable)
    }
}
