import Testing
import WaymarkAssociation
import WaymarkJSON

@Suite struct AssociationSizeTests {
    /// A document whose file for Apple has exactly this many bytes.
    func document(size: Int, app: String = "A1.b") -> String {
        let empty = #"{"applinks":{"details":[{"appIDs":["\#(app)"],"components":[{"/":""}]}]}}"#
        let pattern = String(repeating: "x", count: size - empty.utf8.count)
        return #"{"ios": {"appIDs": ["\#(app)"], "components": [{"/": "\#(pattern)"}]}}"#
    }

    @Test func takesAFileOf128KiBAndNoByteMore() throws {
        #expect(try files(document(size: 131_072))?.apple?.utf8.count == 131_072)
        #expect(try wrongFields(document(size: 131_073)) == ["ios"])
    }

    @Test func refusesALargeAssetLinksFile() throws {
        let fingerprints = (0..<1_400).map { number in
            let pair = String(number, radix: 16).leftPadded(to: 4)
            return "\"\(pair.prefix(2)):\(pair.suffix(2))" + String(repeating: ":00", count: 30) + "\""
        }.joined(separator: ",")
        #expect(
            try wrongFields(#"{"android": {"package": "a.b", "sha256CertFingerprints": [\#(fingerprints)]}}"#)
                == ["android"])
    }

    /// Written out, this is 5,000 apps times 5,000 paths: hundreds of megabytes from a body of a few hundred kilobytes.
    @Test func doesNotWriteOutWhatMultiplies() throws {
        let apps = (0..<5_000).map { #""A1.b\#($0)""# }.joined(separator: ",")
        let paths = (0..<5_000).map { #""/p\#($0)/*""# }.joined(separator: ",")
        #expect(try wrongFields(#"{"ios": {"appIDs": [\#(apps)], "paths": [\#(paths)]}}"#) == ["ios"])

        let appIDs = (0..<5_000).compactMap { AppID("A1.b\($0)") }
        let entry = AppLinksEntry(appIDs: appIDs, rules: .paths((0..<5_000).map { "/p\($0)/*" }))
        let written = AppleAppSiteAssociation(details: [entry]).bytesNotFarBeyondLimit()
        #expect(appIDs.count == 5_000)
        #expect((131_073..<2 * 131_072).contains(written.count))
    }

    @Test func doesNotWriteOutGeneratedRulesForEveryEntry() throws {
        let details = (0..<5_000).map { #"{"appIDs": ["A1.b\#($0)"]}"# }.joined(separator: ",")
        let templates = (0..<5_000).map { #"{"route": "r\#($0)/:x"}"# }.joined(separator: ",")
        #expect(
            try wrongFields(#"{"ios": {"details": [\#(details)]}, "templates": [\#(templates)]}"#) == ["ios"])
    }

    @Test func stopsBehindTheFirstEntryBeyondTheLimit() throws {
        let rules = (0..<1_000).map { AssociationComponent(path: "/r\($0)/*") }
        let details = (0..<1_000).compactMap { AppID("A1.b\($0)") }.map {
            AppLinksEntry(appIDs: [$0], rules: .components(rules))
        }
        #expect(details.count == 1_000)
        let written = AppleAppSiteAssociation(details: details).bytesNotFarBeyondLimit()
        #expect((131_073..<2 * 131_072).contains(written.count))
    }

    @Test func measuresMergedFilesTogether() throws {
        let sources = try ["A1.b", "A1.c"].map { app in
            guard case .source(let source) = try read(document(size: 70_000, app: app)) else {
                throw Refused()
            }
            return source
        }
        #expect(AssociationFiles(sources[0]).problems.isEmpty)
        let merged = AssociationFiles(merging: sources)
        #expect(merged.problems.map(\.field) == ["ios"])
        #expect(merged.apple == nil)
    }

    struct Refused: Error {}
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
