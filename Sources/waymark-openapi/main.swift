import Foundation

// Prints the API document, for Scripts/openapi.
do {
    print(try APIDocument().text, terminator: "")
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
