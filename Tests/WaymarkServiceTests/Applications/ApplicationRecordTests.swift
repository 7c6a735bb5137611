import Testing

@testable import WaymarkService

@Suite struct ApplicationRecordTests {
    @Test(arguments: [true, false], [[], Array("{}".utf8), Array("{\"id\":\"shop\"}".utf8)])
    func givesBackTheDocumentAndWhereItCameFrom(isFromFile: Bool, document: [UInt8]) {
        let record = ApplicationRecord(
            stored: ApplicationRecord(document: document, origin: isFromFile ? .file : .api).stored)
        #expect(record.document == document)
        #expect(record.isFromFile == isFromFile)
        #expect(record.says(document))
        #expect(!record.says(document + [0x20]))
    }
}
