import Testing

@testable import WaymarkHTTP

/// `Forwarded` (RFC 7239 section 4).
@Suite struct ForwardedElementTests {
    /// `for`, `host` and `proto` of each element; nil where the field is malformed.
    private func elements(_ lines: [String]) throws -> [[String?]]? {
        let text = "GET / HTTP/1.1\r\nHost: a\r\n" + lines.map { "Forwarded: \($0)\r\n" }.joined() + "\r\n"
        let bytes = Array(text.utf8)
        let head = RequestHead()
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head) else {
            Issue.record("the head is not valid")
            return nil
        }
        return ForwardedElement.all(in: head, bytes.span)?.map { element in
            [element.client, element.host, element.scheme].map { value in
                value.map { String(decoding: $0.bytes(in: bytes.span), as: UTF8.self) }
            }
        }
    }

    @Test(
        arguments: [
            (["for=192.0.2.60"], [["192.0.2.60", nil, nil]]),
            (["For=192.0.2.60;PROTO=http;by=203.0.113.43"], [["192.0.2.60", nil, "http"]]),
            ([#"for="[2001:db8:cafe::17]:4711""#], [["[2001:db8:cafe::17]:4711", nil, nil]]),
            (["for=192.0.2.43, for=198.51.100.17"], [["192.0.2.43", nil, nil], ["198.51.100.17", nil, nil]]),
            (["for=192.0.2.43", "for=198.51.100.17"], [["192.0.2.43", nil, nil], ["198.51.100.17", nil, nil]]),
            ([#"for="_a,_b;c=d";host="example.com:443""#], [["_a,_b;c=d", "example.com:443", nil]]),
            ([#"for="_a\"\\b""#], [[#"_a"\b"#, nil, nil]]),
            ([";for=_x;;proto=https;"], [["_x", nil, "https"]]),
            (["for=_x ; proto=https"], [["_x", nil, "https"]]),
            (["for=_x;secret=egah2CGj55fSJFs4"], [["_x", nil, nil]]),
            ([",,for=_x,"], [["_x", nil, nil]]),
            ([#"for="""#], [["", nil, nil]]),
        ] as [([String], [[String?]])])
    func readsTheWholeGrammar(lines: [String], expected: [[String?]]) throws {
        #expect(try elements(lines) == expected)
    }

    @Test(arguments: [
        "for", "for=", "=x", "for =x", "for= x", "for=[2001:db8::1]", "for=192.0.2.1:80", #"for="x"#, #"for="x"y"#,
        #"for="x\"#, "for=x proto=http", "for=x;for=y", "proto=http;Proto=http", "192.0.2.1", "for=a/b", "for=x;;=",
        #"for="a", for="b"#,
    ])
    func refusesWhatBreaksIt(line: String) throws {
        #expect(try elements([line]) == nil)
        #expect(try elements(["for=192.0.2.1", line]) == nil)
    }
}
