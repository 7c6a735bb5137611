/// A visitor that tests name, with the User-Agent of one such device.
struct ExpectedVisitor: Sendable, Equatable {
    let name: String
    let userAgent: String

    private init(_ name: String, _ userAgent: String) {
        self.name = name
        self.userAgent = userAgent
    }

    init?(named name: String) {
        guard let found = Self.all.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    static let names = all.map(\.name)

    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    private static let pixel = "Mozilla/5.0 (Linux; Android 15; Pixel 9"
    private static let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "

    static let all = [
        ExpectedVisitor("iphone", iPhone + "Version/18.6 Mobile/15E148 Safari/604.1"),
        ExpectedVisitor(
            "ipad",
            "Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
        ),
        ExpectedVisitor("android", "\(pixel)) \(chrome)Mobile Safari/537.36"),
        ExpectedVisitor("windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) \(chrome)Safari/537.36"),
        ExpectedVisitor("linux", "Mozilla/5.0 (X11; Linux x86_64) \(chrome)Safari/537.36"),
        // Not Safari, by which an iPad calls itself a Mac.
        ExpectedVisitor("macos", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(chrome)Safari/537.36"),
        ExpectedVisitor(
            "instagram-iphone", iPhone + "Mobile/15E148 Instagram 350.0.0.20.95 (iPhone17,3; iOS 18_6; de_DE; de)"),
        ExpectedVisitor(
            "instagram-android",
            "\(pixel); wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.20.95 Android"
        ),
        ExpectedVisitor(
            "facebook-iphone", iPhone + "Mobile/15E148 [FBAN/FBIOS;FBAV/480.0;FBDV/iPhone17,3;FBSN/iOS]"),
        ExpectedVisitor(
            "facebook-android",
            "\(pixel); wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/480.0.0.0;]"
        ),
        ExpectedVisitor("preview", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"),
        ExpectedVisitor("crawler", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
    ]
}
