import Testing

@testable import WaymarkLinks

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T10:00:00Z", 1_795_255_200_000),
            ("2026-11-21T11:00:00+01:00", 1_795_255_200_000), ("2026-11-21T09:30:00-00:30", 1_795_255_200_000),
            ("2026-11-21t10:00:00z", 1_795_255_200_000), ("1970-01-01T00:00:00.25Z", 250),
            ("1970-01-01T00:00:00.123999Z", 123), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("2017-01-01T00:59:60+01:00", 1_483_228_800_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func readsRFC3339(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.rawValue == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21 10:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T12:00:60Z",
        "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00ZZ", "+026-01-01T00:00:00Z", "2026-1-01T00:00:00.00Z", "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "２０26-01-01T00:00:00Z", "2026-01-01T00:00:00Z\0",
    ])
    func refusesWhatIsNoTime(_ text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func writesAFractionOnlyWhereThereIsOne() {
        #expect(Timestamp(rawValue: 1_795_255_200_000).rfc3339 == "2026-11-21T10:00:00Z")
        #expect(Timestamp(rawValue: 1_795_255_200_050).rfc3339 == "2026-11-21T10:00:00.050Z")
        #expect(Timestamp(rawValue: -1).rfc3339 == "1969-12-31T23:59:59.999Z")
    }

    @Test func readsBackWhatItWrites() {
        var random = RepeatableRandom(state: 3)
        for _ in 0..<5000 {
            let moment = Timestamp(
                rawValue: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
            #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
        }
    }

    @Test func writesEvenMomentsThatNoTextCanSay() {
        #expect(Timestamp(rawValue: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(rawValue: .min).rfc3339 == "0000-01-01T00:00:00Z")
        #expect(Timestamp(rawValue: .min).seconds == -9_223_372_036_854_776)
        #expect(Timestamp(seconds: .max).rawValue == .max)
        #expect(Timestamp(rawValue: .max).advanced(byMilliseconds: 1).rawValue == .max)
    }
}
