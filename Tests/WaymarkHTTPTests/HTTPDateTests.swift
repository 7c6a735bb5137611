import Testing
import WaymarkHTTP

@Suite struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_795_255_200, "Sat, 21 Nov 2026 10:00:00 GMT"),
        (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
    func writesAndReadsADate(_ seconds: Int64, _ text: String) {
        let date = HTTPDate(unixSeconds: seconds)
        #expect(date.text == text)
        #expect(date.bytes.count == 29)
        let bytes = Array(text.utf8)
        #expect(HTTPDate(bytes.span, whole(bytes), reference: 0) == date)
    }

    @Test func staysWithinWhatCanBeWritten() {
        #expect(HTTPDate(unixSeconds: .max).text == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(unixSeconds: .min).text == "Mon, 01 Jan 0001 00:00:00 GMT")
    }

    @Test func readsBackEveryDayOfFourCenturies() {
        for day in stride(from: Int64(-100_000), to: 50_000, by: 1) {
            let date = HTTPDate(unixSeconds: day * 86_400 + 3_661)
            let bytes = date.bytes
            #expect(HTTPDate(bytes.span, whole(bytes), reference: 0) == date)
        }
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_799),
        ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000), ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
    ])
    func readsTheOldForms(_ text: String, _ seconds: Int64) {
        let bytes = Array(text.utf8)
        // In the year 2026, 70 is 2070, no more than 50 years ahead, and 77 is 1977.
        #expect(HTTPDate(bytes.span, whole(bytes), reference: 1_795_255_200)?.unixSeconds == seconds)
    }

    @Test(arguments: [
        "", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT", "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun, 06-Nov-94 08:49:37", "784111777", "1994-11-06T08:49:37Z",
    ])
    func readsNothingElse(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(HTTPDate(bytes.span, whole(bytes), reference: 0) == nil)
    }

    @Test func makesAWholeLine() {
        let line = DateLine(unixSeconds: 784_111_777)
        #expect(String(decoding: line.bytes, as: UTF8.self) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
    }
}
