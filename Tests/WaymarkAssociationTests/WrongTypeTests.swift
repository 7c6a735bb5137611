import Testing
import WaymarkAssociation
import WaymarkJSON

@Suite struct WrongTypeTests {
    /// Documents that hold, between them, every member that is read.
    static let documents = [
        ##"{"ios": {"appIDs": ["A1.b"], "webCredentials": ["A1.b"], "appClips": ["A1.b.Clip"], "components": [{"/": "*", "##
            + ##""?": {"a": "*"}, "#": "*", "exclude": true, "caseSensitive": true, "percentEncoded": true, "comment": "c"}]},"##
            + #""android": {"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}}"#,
        #"{"ios": {"details": [{"appIDs": ["A1.b"], "paths": ["*"]}, {"appIDs": ["A1.c"], "components": [{"?": "*"}]}]},"#
            + #""android": {"apps": [{"package": "a.b", "sha256CertFingerprints": ["\#(fingerprint("AB"))"]}]}}"#,
    ]

    /// Every copy of the value in which one part, at the place given, is the number 7 instead.
    func copies(of value: JSONValue, at location: String) -> [(location: String, copy: JSONValue)] {
        var copies: [(location: String, copy: JSONValue)] = location.isEmpty ? [] : [(location, JSONValue(7))]
        for (index, element) in (value.array ?? []).enumerated() {
            for part in self.copies(of: element, at: "\(location)[\(index)]") {
                var elements = value.array ?? []
                elements[index] = part.copy
                copies.append((part.location, JSONValue(elements)))
            }
        }
        for member in value.object?.members ?? [] {
            let prefix = location.isEmpty ? "" : location + "."
            for part in self.copies(of: member.value, at: prefix + member.name) {
                var object = value.object ?? JSONObject()
                object[member.name] = part.copy
                copies.append((part.location, JSONValue(object)))
            }
        }
        return copies
    }

    @Test(arguments: documents)
    func aNumberIsWrongEverywhereAndNamedWhereItStands(document: String) throws {
        let root = try JSONValue(parsing: document)
        guard case .source = AssociationSource.read(root) else {
            Issue.record("the document must be right to begin with")
            return
        }
        let copies = copies(of: root, at: "")
        #expect(copies.count >= 14)
        for (location, copy) in copies {
            guard case .problems(let problems) = AssociationSource.read(copy) else {
                Issue.record("a number was taken at \(location)")
                continue
            }
            #expect(problems.map(\.field) == [location])
        }
    }
}
