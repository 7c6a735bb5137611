import Testing

@testable import WaymarkBytes

@Suite struct FolderOfPathTests {
    @Test(arguments: [
        ("a", "."), ("a/", "."), ("é", "."), (".", "."), ("", "."), ("ab", "."), ("./a", "."), ("../a", ".."),
        ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"), ("/", "/"), ("//", "/"), ("/a", "/"), ("/a/b", "/a"),
        ("/a/b/c.json", "/a/b"), ("a/\u{301}", "a"),
    ])
    func `a path has the folder that dirname gives`(path: String, folder: String) {
        #expect(path.folderOfPath == folder)
    }
}
