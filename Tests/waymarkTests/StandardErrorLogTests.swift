import Testing

@testable import waymark

@Suite struct StandardErrorLogTests {
    @Test(arguments: [
        (LogFormat.text, [(String, String)](), #"2026-11-26T09:00:00Z warning a "b""#),
        (.text, [("x", "1"), ("y", "2")], #"2026-11-26T09:00:00Z warning a "b" x=1 y=2"#),
        (.json, [], #"{"time":"2026-11-26T09:00:00Z","level":"warning","message":"a \"b\""}"#),
        (
            .json, [("x", "1\n2"), ("y", "2")],
            #"{"time":"2026-11-26T09:00:00Z","level":"warning","message":"a \"b\"","metadata":{"x":"1\n2","y":"2"}}"#
        ),
    ])
    func linesHaveTheConfiguredFormat(format: LogFormat, metadata: [(String, String)], line: String) {
        #expect(
            StandardErrorLog.line(
                format, "2026-11-26T09:00:00Z", "warning", #"a "b""#, metadata.map { (name: $0.0, value: $0.1) })
                == line)
    }
}
