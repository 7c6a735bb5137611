import Testing
import WaymarkAssociation

@Suite struct PackageNameTests {
    @Test(arguments: ["com.example.shop", "a.b", "com.example.shop_2", "Com.Example.S9"])
    func takesApplicationIDs(text: String) {
        #expect(PackageName(text)?.text == text)
    }

    @Test(arguments: [
        "", "shop", "com.", ".shop", "com..shop", "com.2shop", "com._shop", "com.example.my-shop", "com.example.shop ",
        "com.exämple", "com.example/shop", "com.example.*", "com.example.shop\n", "1.2",
    ])
    func refusesWhatAndroidWouldNotBuild(text: String) {
        #expect(PackageName(text) == nil)
    }

    @Test func `a package name has a length limit`() {
        let longest = "a." + String(repeating: "b", count: PackageName.lengthLimit - 2)
        #expect(PackageName(longest) != nil)
        #expect(PackageName(longest + "b") == nil)
    }
}
