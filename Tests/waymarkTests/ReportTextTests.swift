import Testing
import WaymarkJSON
import WaymarkSite

@testable import waymark

/// What `links qr`, `links clicks` and `conversions` print.
@Suite struct ReportTextTests {
    /// Reads the modules back.
    private func darkness(_ text: String, lightIsInk: Bool) -> [[Bool]] {
        text.split(separator: "\n").flatMap { line -> [[Bool]] in
            let pairs: [(Bool, Bool)] = line.map { character in
                switch character {
                case "█": (true, true)
                case "▀": (true, false)
                case "▄": (false, true)
                default: (false, false)
                }
            }
            return [pairs.map { $0.0 != lightIsInk }, pairs.map { $0.1 != lightIsInk }]
        }
    }

    @Test(arguments: [0, 2, 4], [false, true])
    func theTextHasEachModuleAndTheMargin(margin: Int, isColoured: Bool) throws {
        let modules = try #require(
            QRCodeModules(side: 21, darkness: (0..<441).map { $0 % 3 == 0 || $0 % 7 == 1 }))
        var text = QRCodeText.text(modules, margin: margin, isColoured: isColoured)
        if isColoured {
            #expect(text.hasPrefix("\u{1b}[38;5;16;48;5;231m") && text.hasSuffix("\u{1b}[0m\n"))
            text = text.replacing("\u{1b}[38;5;16;48;5;231m", with: "").replacing("\u{1b}[0m", with: "")
        } else {
            #expect(!text.contains("\u{1b}"))
        }
        let rows = darkness(text, lightIsInk: !isColoured)
        let side = 21 + 2 * margin
        #expect(rows.count == side + 1 && rows.allSatisfy { $0.count == side })
        for row in 0..<side + 1 {
            for column in 0..<side {
                let (inner, across) = (row - margin, column - margin)
                let isInside = (0..<21).contains(inner) && (0..<21).contains(across)
                #expect(rows[row][column] == (isInside && modules[row: inner, column: across]), "\(row) \(column)")
            }
        }
    }

    @Test func clicksAreATableByDay() {
        let answer: JSONValue = [
            "total": ["people": 12, "bots": 3, "visitors": .null],
            "series": [
                ["start": "2026-11-20T00:00:00Z", "people": 0, "bots": 0, "visitors": 0],
                ["start": "2026-11-21T00:00:00Z", "people": 12, "bots": 3, "visitors": 9],
            ],
        ]
        #expect(
            LinksClicks.table(answer, isHourly: false) == """
                DAY         PEOPLE  BOTS  VISITORS
                2026-11-21  12      3     9
                total       12      3     -
                """)
        #expect(LinksClicks.table(answer, isHourly: true).contains("2026-11-21T00:00 "))
    }

    @Test func conversionsAreATable() {
        let answer: JSONValue = [
            "groups": [
                [
                    "value": "go.example.com/sale", "count": 3, "sums": ["EUR": "12.50", "USD": "1"],
                    "fromApps": ["count": 1, "sums": ["USD": "1"]],
                ],
                ["value": .null, "count": 1, "sums": [:]],
            ]
        ]
        #expect(
            ConversionsCommand.table(answer, "LINK") == """
                LINK                 COUNT  SUMS              FROM APPS
                go.example.com/sale  3      12.50 EUR, 1 USD  1
                (none)               1      -                 -
                """)
    }

    @Test func `a rehearsal says what would have ended elsewhere`() {
        let answer: JSONValue = [
            "clicks": 5, "changed": 2, "undecidable": 1, "why": ["query: unknown"],
            "byOutcome": [
                [
                    "from": ["outcome": "web", "rule": .null, "url": "https://a.example/"],
                    "to": ["outcome": "web", "rule": "DE", "url": "https://b.example/"], "clicks": 2,
                ],
                ["from": ["outcome": "page"], "to": ["outcome": "page"], "clicks": 2],
            ],
        ]
        #expect(
            LinksRehearse.text(answer) == """
                2 of 5 clicks of people would have ended elsewhere; 1 can't be decided

                CLICKS  NOW                 THEN
                2       https://a.example/  https://b.example/ (rule DE)
                2       page                page

                query: unknown
                """)
        #expect(
            LinksRehearse.text(["clicks": 0, "changed": 0])
                == "0 of 0 clicks of people would have ended elsewhere")
    }

    @Test func clicksAreATableByValue() {
        let answer: JSONValue = [
            "total": ["people": 3, "bots": 5], "complete": false,
            "series": [
                [
                    "by": [
                        ["value": "DE", "people": 2, "bots": 0], ["value": .null, "people": 1, "bots": 4],
                        ["rest": true, "people": 0, "bots": 1],
                    ]
                ]
            ],
        ]
        #expect(
            LinksClicks.table(answer, by: "country") == """
                COUNTRY  PEOPLE  SHARE  BOTS
                DE       2       67 %   0
                (none)   1       33 %   4
                (rest)   0       0 %    1
                total    3       100 %  5

                some clicks of this time are no longer known
                """)
        #expect(LinksClicks.table(["total": ["people": 0, "bots": 0], "series": []], by: "country").contains("-"))
    }
}
