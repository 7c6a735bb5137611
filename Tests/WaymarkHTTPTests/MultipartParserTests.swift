import Testing

@testable import WaymarkHTTP

@Suite struct MultipartParserTests {
    /// A part as it was read.
    private struct Part: Equatable {
        var header: MultipartHeader
        var content: [UInt8] = []
        var isEnded = false
    }

    private static func boundary(_ text: String = "xYz") throws -> MultipartBoundary {
        try #require(MultipartBoundary(contentType: "multipart/form-data; boundary=\(text)"))
    }

    private static func read(_ pieces: [[UInt8]], boundary: String = "xYz") throws -> [Part] {
        var parser = MultipartParser(boundary: try Self.boundary(boundary))
        var parts: [Part] = []
        for piece in pieces {
            for event in try parser.parse(piece) {
                switch event {
                case .part(let header): parts.append(Part(header: header))
                case .data(let data):
                    #expect(!data.isEmpty)
                    parts[parts.count - 1].content += data
                case .endOfPart: parts[parts.count - 1].isEnded = true
                }
            }
        }
        try parser.end()
        return parts
    }

    private static let form = Array(
        ("preamble\r\n--xY\r\n--xYz \t\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nfdl\r\n--xYz\r\n"
            + "content-disposition:form-data;name=file;filename=\"a \\\"b\\\" %22c%22.csv\"\r\nContent-Type: text/csv\r\n"
            + "\r\n\r\n\r\r\n--xY\r\n--xYy\n--xYz\r\n-\r\n--\r\n--xYz\r\n"
            + "Content-Disposition: form-data; name=\"empty\"\r\n\r\n\r\n--xYz\r\n"
            + "Content-Disposition: form-data; name=\"emptier\"\r\n\r\n--xYz--\r\nepilogue\r\n--xYz\r\n").utf8)

    private static let parts = [
        Part(header: .init(name: "source"), content: Array("fdl".utf8), isEnded: true),
        Part(
            header: .init(name: "file", fileName: "a \"b\" \"c\".csv"),
            content: Array("\r\n\r\r\n--xY\r\n--xYy\n--xYz\r\n-\r\n--".utf8), isEnded: true),
        Part(header: .init(name: "empty"), isEnded: true), Part(header: .init(name: "emptier"), isEnded: true),
    ]

    @Test func readsTheSamePartsWhereverTheInputIsSplit() throws {
        #expect(try Self.read([Self.form]) == Self.parts)
        #expect(try Self.read(Self.form.map { [$0] }) == Self.parts)
        for cut in Self.form.indices {
            let pieces = [Array(Self.form[..<cut]), Array(Self.form[cut...])]
            #expect(try Self.read(pieces) == Self.parts, "cut at \(cut)")
            guard cut + 7 < Self.form.count else { continue }
            let three = [Array(Self.form[..<cut]), Array(Self.form[cut..<cut + 7]), Array(Self.form[(cut + 7)...])]
            #expect(try Self.read(three) == Self.parts, "cut at \(cut) and \(cut + 7)")
        }
    }

    @Test func keepsContentThatIsMadeOfPiecesOfTheBoundary() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("\r\n--xYz".utf8)
        for _ in 0..<500 {
            let content = (0..<Int.random(in: 0...80)).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            let delimiter = Array("\r\n--xYz".utf8)
            // A boundary of its own would end it.
            guard !(delimiter.prefix(2) + content + delimiter).dropLast(1).contains(delimiter) else { continue }
            var bytes = Array("--xYz\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8) + content
            bytes += Array("\r\n--xYz--".utf8)
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9))
                pieces.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(try Self.read(pieces).map(\.content) == [content], "\(content) in \(pieces.map(\.count))")
        }
    }

    @Test(arguments: [
        "", "--xYz", "--xYz\r\n", "--xYz\r\nContent-Disposition: form-data; name=a\r\n\r\nabc",
        "--xYz\r\nContent-Disposition: form-data; name=a\r\n\r\nabc\r\n--xYz", "--xYz-", "--xYz-\r\n", "--xYz \r\r\n",
        "--xYzz\r\n\r\n--xYz--", "--xYz\n\n--xYz--", "--xYz\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: attachment; name=a\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=\"a\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a b\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\n\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a\nX: y\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a\u{0}\r\n\r\nabc\r\n--xYz--",
        "--xYz\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==\r\n--xYz--",
    ])
    func rejectsMalformedForms(form: String) {
        #expect(throws: MultipartParser.Failure.self) { _ = try Self.read([Array(form.utf8)]) }
        #expect(throws: MultipartParser.Failure.self) { try Self.read(form.utf8.map { [$0] }) }
    }

    @Test func limitsPartsHeadersAndSpaces() throws {
        let part = "--xYz\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
        let most = String(repeating: part, count: MultipartParser.partLimit)
        #expect(try Self.read([Array((most + "--xYz--").utf8)]).count == MultipartParser.partLimit)
        let long = String(repeating: "x", count: MultipartParser.headerLimit)
        for form in [
            most + part + "--xYz--", "--xYz\r\nX: \(long)", "--xYz\r\n" + String(repeating: "a:\r\n", count: 3_000),
            "--xYz" + String(repeating: " ", count: 65),
        ] {
            #expect(throws: MultipartParser.Failure.self) { _ = try Self.read([Array(form.utf8)]) }
        }
    }

    @Test(arguments: [
        ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data;boundary=\"a b\"", "a b"),
        (
            "multipart/form-data; charset=utf-8; Boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
            "----WebKitFormBoundary7MA4YWxkTrZu0gW"
        ),
        ("multipart/form-data", nil), ("multipart/form-data; boundary=", nil),
        ("multipart/form-data; boundary=\"\"", nil),
        ("multipart/form-data; boundary=\"a \"", nil), ("multipart/form-data; boundary=a; boundary=b", nil),
        ("multipart/mixed; boundary=a", nil), ("application/json", nil), ("multipart/form-data; boundary=\"a\r\"", nil),
        ("multipart/form-data; boundary=\"a<b\"", nil), ("multipart/form-data, boundary=a", nil),
        ("multipart/form-data; boundary=" + String(repeating: "a", count: 70), String(repeating: "a", count: 70)),
        ("multipart/form-data; boundary=" + String(repeating: "a", count: 71), nil),
    ])
    func readsTheBoundaryOfAContentType(value: String, boundary: String?) {
        #expect(MultipartBoundary(contentType: value)?.bytes == boundary.map { Array($0.utf8) })
    }
}
