import Testing
import WaymarkSite

@Suite struct QRCodePNGTests {
    @Test(arguments: [64, 65, 71, 512, 1023, 2048])
    func `the image is a PNG of exactly the size`(size: Int) throws {
        let picture = try #require(Samples.code()?.png(size: size))
        let file = try #require(PNGFile(picture))
        #expect(file.chunks.map(\.type) == ["IHDR", "PLTE", "IDAT", "IEND"])
        #expect(file.width == size)
        #expect(file.height == size)
        // One bit a pixel, of a palette, deflated, not interlaced.
        #expect(Array(file.header[8...]) == [1, 3, 0, 0, 0])
        #expect(file.data(of: "PLTE") == [255, 255, 255, 0, 0, 0])
        #expect(file.data(of: "IEND").isEmpty)
    }

    /// size, margin, side → pixels a module, and pixels left of and above the symbol.
    @Test(arguments: [
        (512, 4, 29, 13, 67), (512, 0, 29, 17, 9), (64, 4, 21, 2, 11), (64, 16, 21, 1, 21), (64, 4, 57, 0, 0),
        (65, 4, 57, 1, 4), (66, 4, 57, 1, 4), (129, 4, 57, 1, 36), (130, 4, 57, 2, 8), (64, 0, 61, 1, 1),
        (2048, 16, 177, 9, 227), (208, 16, 177, 0, 0), (209, 16, 177, 1, 16), (100, 3, 25, 3, 12), (2048, 0, 21, 97, 5),
    ])
    func drawsEveryModuleInWholePixelsInTheMiddle(size: Int, margin: Int, side: Int, scale: Int, inset: Int) throws {
        let code = try #require(Samples.code(side: side))
        guard scale > 0 else {
            #expect(code.png(size: size, margin: margin) == nil)
            return
        }
        #expect(inset >= margin * scale)
        let picture = try #require(code.png(size: size, margin: margin))
        let pixels = try #require(PNGFile(picture)?.pixels())
        let blank = Array(repeating: 0xFFFFFF, count: size)
        let drawn = (0..<side).map { row in
            var pixels = blank
            for x in inset..<inset + side * scale where code.modules[row: row, column: (x - inset) / scale] {
                pixels[x] = 0x000000
            }
            return pixels
        }
        let expected = (0..<size).map { y in
            (inset..<inset + side * scale).contains(y) ? drawn[(y - inset) / scale] : blank
        }
        #expect(pixels == expected)
    }

    @Test(arguments: [
        (63, 4), (0, 4), (-1, 4), (2049, 4), (Int.min, 4), (Int.max, 4), (512, -1), (512, 17), (512, Int.max),
        (512, Int.min),
    ])
    func refusesWhatIsOutsideOfTheLimits(size: Int, margin: Int) throws {
        let code = try #require(Samples.code())
        #expect(code.png(size: size, margin: margin) == nil)
        #expect(code.svg(size: size, margin: margin) == nil)
    }

    @Test func `the image has the colours of the palette`() throws {
        let palette = try #require(Samples.palette)
        let picture = try #require(Samples.code()?.png(palette: palette))
        #expect(PNGFile(picture)?.data(of: "PLTE") == [0xFF, 0xF4, 0xE0, 0x10, 0x2A, 0x43])
    }

    @Test func drawsTheSmallestAndTheLargestOfEverything() throws {
        for side in [21, 177] {
            let code = try #require(Samples.code(side: side))
            for margin in [QRCode.margins.lowerBound, QRCode.margins.upperBound] {
                #expect(code.png(size: QRCode.sizes.upperBound, margin: margin) != nil)
                #expect((code.png(size: QRCode.sizes.lowerBound, margin: margin) != nil) == (side == 21))
            }
        }
    }

    @Test func has512PixelsAndAMarginOf4ByDefault() throws {
        let code = try #require(Samples.code())
        #expect(code.png() == code.png(size: 512, margin: 4))
        #expect(code.svg() == code.svg(size: 512, margin: 4))
        #expect(code.png() != code.png(size: 512, margin: 0))
    }

    @Test func `the image has the same bytes every time`() throws {
        let code = try #require(Samples.code())
        #expect(code.png() == Samples.code()?.png())
    }
}
