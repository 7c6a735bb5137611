import Testing
import WaymarkAssociation
import WaymarkJSON

@Suite struct AssociationMergingTests {
    func source(_ document: String) throws -> AssociationSource {
        let reading = try read(document)
        guard case .source(let source) = reading else { throw Refused(reading: reading) }
        return source
    }

    struct Refused: Error {
        let reading: AssociationSource.Reading
    }

    @Test func putsApplicationsOneBehindTheOther() throws {
        let first = try source(
            #"{"ios": {"appIDs": ["A1.b"], "components": [{"/": "/b"}], "webCredentials": ["A1.b"]},"#
                + #""android": {"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}}"#)
        let second = try source(
            #"{"ios": {"appIDs": ["A1.c"], "components": [{"/": "/c"}], "webCredentials": ["A1.c", "A1.b"],"#
                + #""appClips": ["A1.c.Clip"]},"#
                + #""android": {"package": "a.c", "sha256CertFingerprints": ["\#(fingerprint("CD"))"]}}"#)
        let files = AssociationFiles(merging: [second, .none, first])
        #expect(
            files.apple.map { String(decoding: $0, as: UTF8.self) }
                == #"{"applinks":{"details":[{"appIDs":["A1.c"],"components":[{"/":"/c"}]},"#
                + #"{"appIDs":["A1.b"],"components":[{"/":"/b"}]}]},"#
                + #""webcredentials":{"apps":["A1.c","A1.b"]},"appclips":{"apps":["A1.c.Clip"]}}"#)
        let links = try JSONValue(parsing: try #require(files.assetLinks))
        #expect(links.array?.map { $0["target"]?["package_name"]?.string } == ["a.c", "a.b"])
        #expect(files.problems.isEmpty)
    }

    /// Android does not define which of two lists of dynamic rules for one app it uses.
    @Test func writesOneStatementForAPackageOfTwoApplications() throws {
        let sources = try ["AB", "CD"].map { pair in
            try source(
                #"{"android": {"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint(pair))"], "#
                    + #""components": [{"/": "/\#(pair)/*"}]}}"#)
        }
        let links = try JSONValue(parsing: try #require(AssociationFiles(merging: sources).assetLinks))
        #expect(links.array?.count == 1)
        #expect(links.array?.first?["target"]?["sha256_cert_fingerprints"]?.array?.count == 2)
        #expect(links.text().contains("/AB/*"))
        #expect(!links.text().contains("/CD/*"))
    }

    @Test func mergingOneOrNoneChangesNothing() throws {
        let one = try source(#"{"ios": {"appIDs": ["A1.b"]}}"#)
        #expect(AssociationFiles(merging: [one]) == AssociationFiles(one))
        let nothing = AssociationFiles(merging: [])
        #expect(nothing == AssociationFiles(.none))
        #expect(nothing.apple == nil && nothing.assetLinks == nil)
    }
}
