#if CountryFile
    import WaymarkTestSupport
    import Foundation
    import Testing
    import waymark
    import WaymarkLinks

    @Suite struct CountryFileTests {
        private static func mapped(_ address: UInt32) -> (high: UInt64, low: UInt64) {
            (0, 0xFFFF_0000_0000 | UInt64(address))
        }

        @Test(arguments: MaxMindFile.Form.allCases)
        func namesTheCountryOfTheNetworkThatHoldsAnAddress(form: MaxMindFile.Form) throws {
            let path = try MaxMindFile.write(
                [("81.2.69.0", 24, "GB"), ("2001:db8::", 32, "DE"), ("2a00::", 12, "fr")], form: form)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let file = try CountryFile(path: path)
            for (high, low, country) in [
                (0, 0xFFFF_5102_4501, "GB"), (0, 0xFFFF_5102_45FF, "GB"), (0, 0xFFFF_5102_4601, nil),
                (0x2001_0db8_1234_0000, 0, "DE"), (0x2001_0db9_0000_0000, 0, nil), (0x2a0f_0000_0000_0000, 7, "FR"),
                (0, 1, nil),
            ] as [(UInt64, UInt64, String?)] {
                #expect(file.country(high: high, low: low)?.text == country, "\(high) \(low)")
            }
        }

        @Test func saysWhyAFileCannotBeRead() throws {
            let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).mmdb"
            #expect(throws: CountryFile.Problem.self) { try CountryFile(path: path) }
            try Data("not such a file".utf8).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            #expect(throws: CountryFile.Problem.self) { try CountryFile(path: path) }
        }

        @Test func aDamagedFileIsRefusedOrRead() throws {
            let path = try MaxMindFile.write([("81.2.69.0", 24, "GB")], form: .nested)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let whole = try Data(contentsOf: URL(fileURLWithPath: path))
            for index in stride(from: 0, to: whole.count, by: max(1, whole.count / 400)) {
                var damaged = whole
                damaged[index] ^= 0xFF
                try damaged.write(to: URL(fileURLWithPath: path + ".damaged"))
                defer { try? FileManager.default.removeItem(atPath: path + ".damaged") }
                guard let file = try? CountryFile(path: path + ".damaged") else { continue }
                _ = file.country(high: 0, low: 0xFFFF_5102_4501)
                _ = file.country(high: 0x2001_0db8_0000_0000, low: 0)
            }
        }
    }
#endif
