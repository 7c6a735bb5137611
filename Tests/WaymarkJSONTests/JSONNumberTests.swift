import Testing
import WaymarkJSON

@Suite struct JSONNumberTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("-0.0e5", 0), ("42", 42), ("1.0", 1), ("1e2", 100), ("1E+2", 100), ("10e-1", 1),
        ("1.5e1", 15),
        ("1200e-2", 12), ("0.00001e5", 1), ("-7.00", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
        ("9223372036854775807.0", .max), ("-92233720368547758080e-1", .min), ("0e999999999999999999999999", 0),
        ("1e18", 1_000_000_000_000_000_000),
    ])
    func `a whole number is an integer`(text: String, expected: Int) throws {
        #expect(try JSONValue(parsing: text).integer == expected)
    }

    @Test(arguments: [
        "0.5", "1.5", "1e-1", "12.34e1", "9223372036854775808", "-9223372036854775809", "1e19", "1e400",
        "1e999999999999999999999999", "1e-999999999999999999999999", "9223372036854775807.5",
        "123456789012345678901234567890",
    ])
    func `a fraction or a large number is not an integer`(text: String) throws {
        #expect(try JSONValue(parsing: text).integer == nil)
    }

    @Test(arguments: [
        ("1", "1"), ("-1", "-1"), ("1.0", "1"), ("10e-1", "1"), ("0.1e1", "1"), ("100", "1e2"), ("1E2", "1e2"),
        ("1e+02", "1e2"), ("0", "0"), ("-0", "0"), ("-0.000", "0"), ("0e7", "0"), ("0.5", "5e-1"),
        ("-12.50", "-125e-1"),
        ("0.00012", "12e-5"), ("123456789012345678901234567890", "12345678901234567890123456789e1"),
        ("1e999999999999999999999", "1e999999999999999999999"),
        ("10e999999999999999999999", "1e1000000000000000000000"),
        ("0.1e1000000000000000000000", "1e999999999999999999999"), ("1e-1000000000000000000", "1e-1000000000000000000"),
        ("10e-1000000000000000000", "1e-999999999999999999"), ("0.1e-999999999999999999", "1e-1000000000000000000"),
        ("0.01e-9999999999999999999", "1e-10000000000000000001"), ("1e0000000000000000000000000000001", "1e1"),
        ("1e-00", "1"),
    ])
    func `a number has one canonical spelling`(text: String, expected: String) throws {
        let number = try #require(try JSONValue(parsing: text).number)
        #expect(number.canonicalText == expected)
        #expect(try JSONValue(parsing: expected).number == number)
        #expect(try JSONValue(parsing: expected).number?.canonicalText == expected)
    }

    @Test(arguments: [
        ("1", "2"), ("1", "-1"), ("1", "10"), ("0.1", "0.10000000000000001"), ("9007199254740993", "9007199254740992"),
        ("1e400", "1e401"), ("1e-400", "0"), ("1e99999999999999999999", "1e99999999999999999998"),
    ])
    func tellsDifferentValuesApart(left: String, right: String) throws {
        #expect(try JSONValue(parsing: left) != JSONValue(parsing: right))
        #expect(try JSONValue(parsing: left).canonicalBytes != JSONValue(parsing: right).canonicalBytes)
    }

    @Test func keepsTheTextItWasWrittenWith() throws {
        let texts = ["1.10", "-0", "1E+2", "12345678901234567890.123456789012345678901234567890"]
        for text in texts { #expect(try JSONValue(parsing: text).text() == text) }
    }

    @Test func givesDoublesWithinTheirRange() throws {
        #expect(try JSONValue(parsing: "2.5").number?.double == 2.5)
        #expect(try JSONValue(parsing: "-1e2").number?.double == -100)
        #expect(try JSONValue(parsing: "1e400").number?.double == nil)
        #expect(try JSONValue(parsing: "1e-400").number?.double == 0)
    }

    @Test(arguments: [0.0, -0.0, 1.5, 1e20, 1e-7, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, 0.1])
    func writesDoublesThatReadBack(value: Double) throws {
        let written = try #require(JSONValue(value)).bytes()
        #expect(try JSONValue(parsing: written).number?.double == value)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func refusesDoublesThatJSONCannotWrite(value: Double) {
        #expect(JSONValue(value) == nil)
    }
}
