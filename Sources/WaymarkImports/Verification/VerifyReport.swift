/// One visit that differs from the source.
package struct VisitDifference: Sendable, Equatable {
    package var row: Int
    package var smartlink: String
    package var device: VerifiedDevice
    package var expected: String
    package var found: String

    package init(row: Int, smartlink: String, device: VerifiedDevice, expected: String, found: String) {
        self.row = row
        self.smartlink = smartlink
        self.device = device
        self.expected = expected
        self.found = found
    }
}

/// The report of `waymark links verify`: a header, and a line for each visit that differs.
package enum VerifyReport {
    package static let header = "row,smartlink,platform,expected,found\n"

    package static func append(_ differences: [VisitDifference], to bytes: inout [UInt8]) {
        for one in differences {
            CSVText.append(
                [String(one.row), one.smartlink, one.device.rawValue, one.expected, one.found].map(CSVText.safe),
                to: &bytes)
        }
    }
}
