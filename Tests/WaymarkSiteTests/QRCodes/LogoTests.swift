import Testing
import WaymarkBytes
import WaymarkJSON

@testable import WaymarkSite

/// Logos: which are taken, and that codes with one still say what they should.
@Suite(.enabled(if: QRCode.isAvailable, "the package trait QRCode is off"))
struct LogoTests {
    private static let path = "/api/v1/apps/shop/logo"
    private static let svg = #"<svg xmlns="http://www.w3.org/2000/svg"><rect width="8" height="8"/></svg>"#

    /// Squares of opaque colours that scanners could take for modules.
    static func image(_ width: Int, _ height: Int) -> RasterImage {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isDark = (x * 5 / width + y * 5 / height) % 2 == 0
                bytes += isDark ? [0x10, 0x20, 0x60, 0xFF] : [0xFF, 0xE0, 0x20, 0xFF]
            }
        }
        return RasterImage(width: width, height: height, bytes: bytes)
    }

    /// A PNG of the picture with each filter in turn, in colour and with opacity.
    static func png(_ image: RasterImage, interlaced: Bool = false) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<image.height {
            rows.append(1)
            for x in 0..<image.width * 4 {
                let left = x >= 4 ? image.bytes[y * image.width * 4 + x - 4] : 0
                rows.append(image.bytes[y * image.width * 4 + x] &- left)
            }
        }
        var file = BilevelPNG.signature
        BilevelPNG.append(
            "IHDR", bigEndian(image.width) + bigEndian(image.height) + [8, 6, 0, 0, interlaced ? 1 : 0], to: &file)
        BilevelPNG.append("IDAT", Zlib.compressed(rows), to: &file)
        BilevelPNG.append("IEND", [], to: &file)
        return file
    }

    private static func put(_ body: [UInt8], as type: String, _ fixture: SiteFixture) async throws -> TestAnswer {
        try await fixture.client.send(
            TestRequest(
                "PUT", path, host: "api.test",
                headers: [("Authorization", "Bearer \(SiteFixture.adminKey)"), ("Content-Type", type)], body: body))
    }

    @Test(arguments: TransportKind.allCases)
    func aLogoIsKeptAsItWasSent(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            #expect(try await fixture.call("GET", Self.path).status == 404)
            #expect(try await fixture.call("DELETE", Self.path).status == 404)
            let png = Self.png(Self.image(20, 10))
            for (body, type, tag) in [(png, "image/png", "\"2\""), (Array(Self.svg.utf8), "image/svg+xml", "\"3\"")] {
                let put = try await Self.put(body, as: type, fixture)
                #expect(put.status == 204, "\(put.text)")
                #expect(put[header: "ETag"] == tag)
                let read = try await fixture.call("GET", Self.path)
                #expect(read.body == body)
                #expect(read[header: "Content-Type"] == type && read[header: "ETag"] == tag)
            }
            #expect(try await fixture.call("DELETE", Self.path, headers: [("If-Match", "\"2\"")]).status == 412)
            #expect(try await fixture.call("DELETE", Self.path, headers: [("If-Match", "\"3\"")]).status == 204)
            #expect(try await fixture.call("GET", Self.path).status == 404)
        }
    }

    @Test func whatIsNoLogoIsRefused() async throws {
        let png = Self.png(Self.image(20, 10))
        let text = { (text: String) in Array(text.utf8) }
        var damaged = png
        damaged[60] ^= 1
        let cases: [(body: [UInt8], type: String, status: Int)] = [
            ([], "image/png", 422), (text("GIF89a"), "image/png", 422), (png, "image/svg+xml", 422),
            (text(Self.svg), "image/png", 422), (Array(png.dropLast()), "image/png", 422),
            (png + [0], "image/png", 422), (damaged, "image/png", 422),
            (Self.png(Self.image(1_025, 1)), "image/png", 422),
            (Self.png(Self.image(8, 8), interlaced: true), "image/png", 422),
            (text(Self.svg), "image/gif", 415), (text(Self.svg), "application/json", 415),
            (text("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>"), "image/svg+xml", 422),
            ([UInt8](repeating: 0x20, count: 65_537), "image/svg+xml", 413),
        ]
        try await SiteFixture.run(.inProcess) { fixture in
            for (index, (body, type, status)) in cases.enumerated() {
                let answer = try await Self.put(body, as: type, fixture)
                #expect(answer.status == status, "\(index): \(answer.text)")
            }
            #expect(try await fixture.call("GET", Self.path).status == 404)
        }
    }

    @Test func picturesHaveTheLogoAndAnotherTag() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            #expect(link["slug"] == "x")
            var tags: Set<String> = []
            func look(_ target: String) async throws -> TestAnswer {
                let answer = try await fixture.visit(target)
                #expect(answer.status == 200)
                tags.insert(answer[header: "ETag"] ?? "")
                return answer
            }
            let (plainPNG, plainSVG) = (try await look("/x/qr.png"), try await look("/x/qr.svg"))
            _ = try await Self.put(Array(Self.svg.utf8), as: "image/svg+xml", fixture)
            #expect(try await look("/x/qr.png").body == plainPNG.body)
            let svg = try await look("/x/qr.svg")
            #expect(svg.text.contains("xlink:href=\"data:image/svg+xml;base64,"))
            #expect(svg[header: "Content-Security-Policy"]?.contains("img-src 'self' data:") == true)
            #expect(try await look("/x/qr.svg?logo=false").body == plainSVG.body)
            _ = try await Self.put(Self.png(Self.image(20, 10)), as: "image/png", fixture)
            #expect(try await look("/x/qr.svg").text.contains("xlink:href=\"data:image/png;base64,"))
            let png = try await look("/x/qr.png")
            #expect(png.body != plainPNG.body && png[header: "Cache-Control"] == "public, max-age=3600")
            #expect(tags.count == 5)
            let own = try await fixture.call("GET", "/api/v1/links/go.example.com/x/qr.png")
            #expect(own.body == png.body)
            #expect(try await fixture.visit("/x/qr.png?logo=maybe").status == 422)
        }
    }

    @Test(arguments: ErrorCorrection.allCases)
    func theLogoLeavesFinderPatternsFree(errorCorrection: ErrorCorrection) {
        for side in stride(from: 25, through: 177, by: 4) {
            let covered = QRCodeLogo.modules(of: side, errorCorrection)
            #expect(covered.lowerBound > 8 && covered.upperBound < side - 8)
            #expect(covered.lowerBound == side - covered.upperBound)
        }
    }

    @Test(
        .enabled(if: Barcodes.program != nil, Barcodes.reason),
        arguments: [
            "https://go.example.com/a", "https://go.example.com/Ab3dE9x",
            "https://go.example.com/" + String(repeating: "s", count: 128),
            "https://go.example.com/" + String(repeating: "abcdefgh", count: 70),
        ])
    func aScannerReadsCodesWithALogo(text: String) throws {
        for image in [Self.image(64, 64), Self.image(200, 50), Self.image(3, 9)] {
            for level in [nil, "L", "Q", "H"] {
                for size in [512, 1_000] {
                    let query = QueryString(Array(("size=\(size)" + (level.map { "&level=\($0)" } ?? "")).utf8))
                    let picture = try QRCodePicture(of: text, logo: Self.png(image), QRCodeOrder(.png, query))
                    #expect(try Barcodes.read(picture.bytes) == Array(text.utf8), "\(level ?? "-") \(size)")
                }
            }
        }
    }
}

/// What the reader makes of PNGs.
@Suite struct PNGReaderTests {
    private static func file(_ header: [UInt8], _ rows: [UInt8], _ others: [(StaticString, [UInt8])] = []) -> [UInt8] {
        var file = BilevelPNG.signature
        BilevelPNG.append("IHDR", header, to: &file)
        for (type, part) in others { BilevelPNG.append(type, part, to: &file) }
        BilevelPNG.append("IDAT", Zlib.compressed(rows), to: &file)
        BilevelPNG.append("IEND", [], to: &file)
        return file
    }

    private static func header(_ depth: UInt8, _ color: UInt8) -> [UInt8] {
        bigEndian(2) + bigEndian(2) + [depth, color, 0, 0, 0]
    }

    @Test func everyFormOfPixelsIsRead() throws {
        let (black, white, red): ([UInt8], [UInt8], [UInt8]) =
            ([0, 0, 0, 255], [255, 255, 255, 255], [255, 0, 0, 255])
        let cases: [(file: [UInt8], pixels: [UInt8])] = [
            (Self.file(Self.header(1, 0), [0, 0x40, 0, 0x80]), black + white + white + black),
            (Self.file(Self.header(16, 0), [0, 0, 0, 255, 255, 2, 255, 255, 0, 0]), black + white + white + white),
            (
                Self.file(
                    Self.header(4, 3), [0, 0x01, 0, 0x10], [("PLTE", [255, 0, 0, 0, 0, 0]), ("tRNS", [255, 9])]),
                red + [0, 0, 0, 9] + [0, 0, 0, 9] + red
            ),
            (
                Self.file(
                    Self.header(8, 2), [0, 255, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0], [("tRNS", [0, 0, 0, 0, 0, 0])]),
                red + [0, 0, 0, 0] + red + [255, 0, 0, 255]
            ),
            (Self.file(Self.header(8, 4), [3, 8, 255, 4, 0, 0, 8, 255, 8, 255]), [8, 8, 8, 255, 8, 8, 8, 127]),
        ]
        for (index, (file, pixels)) in cases.enumerated() {
            let image = try PNGReader.image(file)
            #expect(Array(image.bytes.prefix(8)) == Array(pixels.prefix(8)), "\(index)")
        }
    }

    @Test func whatBreaksARuleIsRefused() {
        let rows: [UInt8] = [0, 0, 0, 0]
        let files: [[UInt8]] = [
            Self.file(Self.header(2, 2), rows), Self.file(Self.header(8, 5), rows), Self.file(Self.header(8, 3), rows),
            Self.file(Self.header(1, 0), [0, 0, 0]), Self.file(Self.header(1, 0), rows + [0]),
            Self.file(Self.header(1, 0), [5, 0, 0, 0]), Self.file([0], rows),
            Self.file(bigEndian(0) + bigEndian(1) + [1, 0, 0, 0, 0], []),
            Self.file(Self.header(1, 0), rows, [("ABCD", [])]), Self.file(Self.header(1, 0), rows, [("IHDR", [])]),
        ]
        for (index, file) in files.enumerated() {
            #expect(throws: PNGReader.Failure.self, "\(index)") { try PNGReader.image(file) }
        }
    }
}
