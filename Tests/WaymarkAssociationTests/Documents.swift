import WaymarkAssociation
import WaymarkJSON

/// What is read from an application's document that is written as a literal.
func read(_ document: String) throws -> AssociationSource.Reading {
    AssociationSource.read(try JSONValue(parsing: document))
}

/// Both files as text; nil where the document has problems.
func files(_ document: String) throws -> (apple: String?, assetLinks: String?)? {
    guard case .source(let source) = try read(document) else { return nil }
    let files = AssociationFiles(source)
    return (
        files.apple.map { String(decoding: $0, as: UTF8.self) },
        files.assetLinks.map { String(decoding: $0, as: UTF8.self) }
    )
}

/// The fields that a document is wrong in, in the order reported; empty where it is right.
func wrongFields(_ document: String) throws -> [String] {
    guard case .problems(let problems) = try read(document) else { return [] }
    return problems.map(\.field)
}

/// 32 pairs, all the same.
func fingerprint(_ pair: String) -> String {
    Array(repeating: pair, count: 32).joined(separator: ":")
}
