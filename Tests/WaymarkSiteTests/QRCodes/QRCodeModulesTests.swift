import Testing
import WaymarkSite

@Suite struct QRCodeModulesTests {
    @Test(arguments: [-4, 0, 1, 17, 20, 22, 23, 24, 178, 181])
    func refusesSidesThatNoQRCodeHas(side: Int) {
        #expect(QRCodeModules(side: side, darkness: Array(repeating: true, count: side * side)) == nil)
    }

    @Test(arguments: [(21, 440), (21, 442), (25, 441), (21, 0)])
    func refusesWhatIsNoSquare(side: Int, count: Int) {
        #expect(QRCodeModules(side: side, darkness: Array(repeating: true, count: count)) == nil)
    }

    @Test(arguments: Array(stride(from: 21, through: 177, by: 4)))
    func takesTheSideOfEveryVersion(side: Int) {
        #expect(QRCodeModules(side: side, darkness: Array(repeating: false, count: side * side))?.side == side)
    }

    @Test func givesTheDarkRunsOfARow() throws {
        var darkness = Array(repeating: false, count: 21 * 21)
        for index in [0, 1, 5, 18, 19, 20] { darkness[2 * 21 + index] = true }
        for index in 0..<21 { darkness[3 * 21 + index] = true }
        let modules = try #require(QRCodeModules(side: 21, darkness: darkness))
        #expect(modules.darkRuns(inRow: 1) == [])
        #expect(modules.darkRuns(inRow: 2) == [0..<2, 5..<6, 18..<21])
        #expect(modules.darkRuns(inRow: 3) == [0..<21])
        #expect(modules[row: 2, column: 5])
        #expect(!modules[row: 5, column: 2])
    }
}
