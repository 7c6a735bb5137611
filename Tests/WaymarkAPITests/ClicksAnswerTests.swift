import Testing
import WaymarkAPI

@Suite struct ClicksAnswerTests {
    private static func answer(by field: String?, _ values: [(String?, Int)] = [], rest: Int? = nil) -> ClicksResponse {
        let count = ClicksResponse.Count(people: 3, bots: 1)
        let none = ClicksResponse.Count(people: 0, bots: 0)
        return ClicksResponse(
            from: "2026-11-21T00:00:00Z", to: "2026-11-23T00:00:00Z", interval: "day", by: field, total: count,
            visitors: 2,
            series: [
                .init(
                    start: "2026-11-21T00:00:00Z", count: count, visitors: 2,
                    values: values.map { .init(value: $0.0, count: .init(people: $0.1, bots: 0)) },
                    rest: rest.map { .init(people: $0, bots: 1) }),
                .init(start: "2026-11-22T00:00:00Z", count: none, visitors: nil),
            ])
    }

    @Test(arguments: [("day", "2026-11-21"), ("hour", "2026-11-21T09:00:00Z")])
    func `a table has dates of days and times of hours`(interval: String, start: String) {
        let count = ClicksResponse.Count(people: 1, bots: 0)
        let response = ClicksResponse(
            from: "", to: "", interval: interval, by: nil, total: count, visitors: nil,
            series: [.init(start: "2026-11-21T09:00:00Z", count: count, visitors: nil)])
        #expect(Self.text(response.csv) == "start,people,bots,visitors\r\n\(start),1,0,\r\n")
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func writesIntervalsAsJSON() {
        #expect(
            Self.text(Self.answer(by: nil).json)
                == #"{"from":"2026-11-21T00:00:00Z","to":"2026-11-23T00:00:00Z","interval":"day","timeZone":"UTC","#
                + #""complete":true,"by":null,"total":{"people":3,"bots":1,"visitors":2},"series":["#
                + #"{"start":"2026-11-21T00:00:00Z","people":3,"bots":1,"visitors":2},"#
                + #"{"start":"2026-11-22T00:00:00Z","people":0,"bots":0,"visitors":null}]}"#)
    }

    @Test func `missing clicks are told in JSON`() {
        var answer = Self.answer(by: nil)
        answer.isComplete = false
        #expect(Self.text(answer.json).contains(#""timeZone":"UTC","complete":false,"by":null"#))
    }

    @Test func writesValuesAsJSON() {
        let text = Self.text(Self.answer(by: "campaign", [("autumn", 2), (nil, 1)], rest: 4).json)
        #expect(text.contains(#""by":"campaign","#))
        #expect(
            text.contains(
                #""by":[{"value":"autumn","people":2,"bots":0},{"value":null,"people":1,"bots":0},"#
                    + #"{"rest":true,"people":4,"bots":1}]}"#))
        #expect(text.contains(#""visitors":null,"by":[]}]}"#))
    }

    @Test func writesIntervalsAsATable() {
        #expect(
            Self.text(Self.answer(by: nil).csv)
                == "start,people,bots,visitors\r\n2026-11-21,3,1,2\r\n2026-11-22,0,0,\r\n")
    }

    @Test func writesValuesAsATable() {
        #expect(
            Self.text(Self.answer(by: "campaign", [("autumn", 2), (nil, 1)], rest: 4).csv)
                == "start,campaign,people,bots\r\n2026-11-21,autumn,2,0\r\n"
                + "2026-11-21,(none),1,0\r\n2026-11-21,(rest),4,1\r\n"
                + "2026-11-22,(none),0,0\r\n")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+49", "'+49"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t=1"),
        ("\r=1", "\"'\r=1\""), ("\n=1", "\"'\n=1\""), ("=a,b", "\"'=a,b\""), ("a,b", "\"a,b\""),
        ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\r\nlines", "\"two\r\nlines\""), ("a=b", "a=b"), ("", ""),
        ("Ünïcode", "Ünïcode"), ("'quoted", "'quoted"),
    ])
    func writesNoFormulaAndKeepsFieldsWhole(value: String, field: String) {
        let lines = Self.text(Self.answer(by: "campaign", [(value, 2)]).csv)
        #expect(
            Array(lines.utf8).firstRange(of: Array("2026-11-21,\(field),2,0\r\n".utf8)) != nil, "\(lines)")
    }
}
