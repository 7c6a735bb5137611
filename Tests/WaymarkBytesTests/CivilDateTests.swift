import Testing
import WaymarkBytes

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
            (20_781, 2026, 11, 24), (-25_508, 1900, 3, 1), (-719_528, 0, 1, 1), (-719_469, 0, 2, 29),
            (2_932_896, 9999, 12, 31),
            (-719_893, -1, 1, 1),
        ] as [(Int64, Int64, Int64, Int64)])
    func countsTheDaysSince1970(_ days: Int64, _ year: Int64, _ month: Int64, _ day: Int64) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(CivilDate(daysSince1970: days) == date)
        #expect(date.daysSince1970 == days)
        #expect(date.exists)
    }

    @Test func everyDayOfFourHundredYearsComesBack() {
        var previous = CivilDate(daysSince1970: -1)
        for days in Int64(0)..<146_097 {
            let date = CivilDate(daysSince1970: days)
            #expect(date.exists && date.daysSince1970 == days)
            let isNext = date.day == previous.day + 1 ? date.month == previous.month : date.day == 1
            #expect(isNext)
            previous = date
        }
        #expect(previous == CivilDate(year: 2369, month: 12, day: 31))
    }

    @Test(
        arguments: [
            (2025, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 1, 0), (2026, 1, 32), (2026, 0, 1), (2026, 13, 1),
        ] as [(Int64, Int64, Int64)])
    func knowsWhichDaysExist(_ year: Int64, _ month: Int64, _ day: Int64) {
        #expect(!CivilDate(year: year, month: month, day: day).exists)
    }
}
