import Testing
import WaymarkAssociation

@Suite struct AppIDTests {
    @Test(arguments: [
        "ABCDE12345.com.example.shop", "ABCD1234.com.apple.wwdc", "9JA89QQLNQ.com.apple.wwdc", "A1.b",
        "ABCDE12345.com.example.shop-2.Clip", "ABCDE12345.com.Example.SHOP",
    ])
    func takesWhatAppleIssues(text: String) {
        #expect(AppID(text)?.text == text)
    }

    @Test(arguments: [
        "", ".", "ABCDE12345", "ABCDE12345.", ".com.example.shop", "com.example.shop", "900010506.com.example.shop",
        "abcde12345.com.example.shop", "<TEAM_ID>.com.example.shop", "ABCDE12345.*", "ABCDE12345.com.example.*",
        "ABCDE12345.com..shop", "ABCDE12345.com.example.", "ABCDE12345.com.exämple", "ABCDE12345.com.example shop",
        "ABCDE12345.com.example.shop\n", "ABCDE12345.com/example", "ABCDE12345.com_example", "ÀBCDE12345.com.example",
        "ABCDE12345.com.example\u{0}", "\u{212A}BCDE12345.com.example",
    ])
    func refusesWhatNoDeviceCouldMatch(text: String) {
        #expect(AppID(text) == nil)
    }

    @Test func `an app ID has a length limit`() {
        let longest = "A." + String(repeating: "b", count: AppID.lengthLimit - 2)
        #expect(AppID(longest) != nil)
        #expect(AppID(longest + "b") == nil)
    }
}
