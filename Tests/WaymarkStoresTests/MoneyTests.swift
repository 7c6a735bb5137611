import Testing
import WaymarkStores

@Suite struct MoneyTests {
    @Test(arguments: [
        "0", "12.50", "0.000001", "999999999999.999999", "-1", "-0.5", "-12.345678", "-999999999999.999999", "7.00",
    ])
    func `an amount is written as it was read`(text: String) {
        #expect(Money(text)?.text == text)
    }

    @Test(arguments: ["", "-", ".5", "5.", "1,5", "1e3", "+1", "1.2.3", "0x1", "1234567890123", "0.1234567", " 1", "١"])
    func `takes no other text`(text: String) {
        #expect(Money(text) == nil)
    }

    @Test(arguments: [
        (["0.1", "0.2"], "0.3"), (["12.50", "0.50"], "13.00"), (["100", "250"], "350"), (["1", "-1.5"], "-0.5"),
        (["-0.25", "-0.75"], "-1.00"), (["0.999999", "0.000001"], "1.000000"), (["5.5", "-5.5"], "0.0"),
        (["-2.5", "1"], "-1.5"),
    ])
    func `adds exactly`(texts: [String], sum: String) throws {
        let amounts = try texts.map { try #require(Money($0)) }
        #expect(amounts.dropFirst().reduce(amounts[0], +).text == sum)
        #expect(amounts.reversed().dropFirst().reduce(amounts[amounts.count - 1], +).text == sum)
    }

    @Test func `a thousand cents are ten`() throws {
        let cent = try #require(Money("0.01"))
        #expect((1..<1_000).reduce(cent) { sum, _ in sum + cent }.text == "10.00")
    }
}
