import Testing

@testable import WaymarkClient

@Suite struct HTTPResponseTests {
    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("99999999999999999999", 604_800), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 37), ("Sun Nov  6 08:49:37 1994", 37),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Sun, 06 Nov 2094 08:49:37 GMT", 604_800), ("", nil), ("-1", nil),
            ("1.5", nil), ("soon", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil), (nil, nil),
        ] as [(String?, Int?)])
    func `Retry-After is a number of seconds or a date`(text: String?, seconds: Int?) {
        let response = HTTPResponse(status: 503, fields: text.map { [("retry-after", $0)] } ?? [])
        // 1994-11-06 08:49:00.
        #expect(response.retryAfter(now: 784_111_740) == seconds)
    }
}
