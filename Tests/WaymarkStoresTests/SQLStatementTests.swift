import Testing
import WaymarkStores

@Suite struct SQLStatementTests {
    @Test(
        arguments: [
            ("SELECT 1", 0, []), ("SELECT $1", 1, [1]), ("SELECT $2, $1, $2", 2, [2, 1]),
            ("VALUES ($12, $1), ($2, $12)", 12, [12, 1, 2]),
        ] as [(SQLText, Int, [Int])])
    func placesAreInTheOrderOfTheirFirstUse(text: SQLText, count: Int, places: [Int]) {
        let statement = SQLStatement(text, (0..<count).map { .number($0) })

        #expect(statement.placesByFirstUse == places)
    }
}
