import Testing
import WaymarkBytes

@Suite struct HexadecimalTests {
    @Test func everyByteComesBack() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.bytes(Hexadecimal.text(all)) == all)
        #expect(Hexadecimal.bytes(Hexadecimal.text(all).uppercased()) == all)
        #expect(Hexadecimal.text([0x00, 0x0A, 0xF9]) == "000af9")
        #expect([0x0, 0x9, 0xA, 0xF].map { Hexadecimal.capital($0) } == Array("09AF".utf8))
    }

    @Test(arguments: ["0", "0g", "+1", " 1", "é", "٠٠"])
    func refusesOtherText(_ text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }

    @Test func numbersHaveTheWidthThatIsAskedFor() {
        #expect(Hexadecimal.text(0xAB, width: 4) == "00ab")
        #expect(Hexadecimal.text(.max, width: 16) == "ffffffffffffffff")
        #expect(Hexadecimal.text(0x1_2345, width: 4) == "2345")
    }
}

@Suite struct Base64Tests {
    /// RFC 4648 section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func readsAndWritesTheVectors(_ plain: String, _ text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
        #expect(Base64.bytes(lenient: text.filter { $0 != "=" }) == Array(plain.utf8))
    }

    @Test(arguments: [([0xFB, 0xFF, 0xFE], "-__-"), ([1], "AQ"), ([1, 2], "AQI"), ([], "")] as [([UInt8], String)])
    func writesTheAlphabetOfURLs(_ bytes: [UInt8], _ text: String) {
        #expect(Base64.urlText(bytes) == text)
    }

    @Test func everyDigitComesBack() {
        let all = Array(UInt8.min...UInt8.max)
        let text = Base64.text(all)
        #expect(Base64.bytes(text) == all)
        #expect(Base64.bytes(lenient: String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })) == all)
    }

    @Test(arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "=Zg=", "Z===", "====", "Zm9-", "Zm9_", "Zm 9", "Zm9é"])
    func refusesWhatItDoesNotWrite(_ text: String) {
        #expect(Base64.bytes(text) == nil)
    }

    @Test(arguments: ["Z", "Zm9vY", "Zm 9", "Zm=v", "é"])
    func lenientReadingHasLimits(_ text: String) {
        #expect(Base64.bytes(lenient: text) == nil)
    }
}
