/// Words of User-Agents as numbers: the first eight letters in lower case, shorter words with zeros behind, so that a
/// word is compared in one step. A test holds every number against its name.
enum UserAgentWord {
    // Systems
    static let iphone: UInt64 = 0x6970_686f_6e65_0000
    static let ipod: UInt64 = 0x6970_6f64_0000_0000
    static let ipad: UInt64 = 0x6970_6164_0000_0000
    static let macintosh: UInt64 = 0x6d61_6369_6e74_6f73
    static let silk: UInt64 = 0x7369_6c6b_0000_0000
    static let kindle: UInt64 = 0x6b69_6e64_6c65_0000
    static let android: UInt64 = 0x616e_6472_6f69_6400
    static let cros: UInt64 = 0x6372_6f73_0000_0000
    static let windows: UInt64 = 0x7769_6e64_6f77_7300
    static let phone: UInt64 = 0x7068_6f6e_6500_0000
    static let harmonyos: UInt64 = 0x6861_726d_6f6e_796f
    static let openharmony: UInt64 = 0x6f70_656e_6861_726d
    static let tizen: UInt64 = 0x7469_7a65_6e00_0000
    static let web0s: UInt64 = 0x7765_6230_7300_0000
    static let webos: UInt64 = 0x7765_626f_7300_0000
    static let smarttv: UInt64 = 0x736d_6172_7474_7600
    static let appletv: UInt64 = 0x6170_706c_6574_7600
    static let playstation: UInt64 = 0x706c_6179_7374_6174
    static let nintendo: UInt64 = 0x6e69_6e74_656e_646f
    static let roku: UInt64 = 0x726f_6b75_0000_0000
    static let linux: UInt64 = 0x6c69_6e75_7800_0000
    static let x11: UInt64 = 0x7831_3100_0000_0000

    // Browsers
    static let mozilla: UInt64 = 0x6d6f_7a69_6c6c_6100
    static let applewebkit: UInt64 = 0x6170_706c_6577_6562
    static let safari: UInt64 = 0x7361_6661_7269_0000
    static let chrome: UInt64 = 0x6368_726f_6d65_0000
    static let chromium: UInt64 = 0x6368_726f_6d69_756d
    static let firefox: UInt64 = 0x6669_7265_666f_7800
    static let edg: UInt64 = 0x6564_6700_0000_0000
    static let edga: UInt64 = 0x6564_6761_0000_0000
    static let edge: UInt64 = 0x6564_6765_0000_0000
    static let edgios: UInt64 = 0x6564_6769_6f73_0000
    static let opr: UInt64 = 0x6f70_7200_0000_0000
    static let opios: UInt64 = 0x6f70_696f_7300_0000
    static let opt: UInt64 = 0x6f70_7400_0000_0000
    static let samsungbrowser: UInt64 = 0x7361_6d73_756e_6762
    static let version: UInt64 = 0x7665_7273_696f_6e00
    static let mobile: UInt64 = 0x6d6f_6269_6c65_0000
    static let crios: UInt64 = 0x6372_696f_7300_0000
    static let fxios: UInt64 = 0x6678_696f_7300_0000
    static let gsa: UInt64 = 0x6773_6100_0000_0000
    static let wv: UInt64 = 0x7776_0000_0000_0000
    static let cfnetwork: UInt64 = 0x6366_6e65_7477_6f72

    // Apps with a browser inside
    static let fban: UInt64 = 0x6662_616e_0000_0000
    static let fbav: UInt64 = 0x6662_6176_0000_0000
    static let fbios: UInt64 = 0x6662_696f_7300_0000
    static let fb4a: UInt64 = 0x6662_3461_0000_0000
    static let metaiab: UInt64 = 0x6d65_7461_6961_6200
    static let messengerforios: UInt64 = 0x6d65_7373_656e_6765
    static let instagram: UInt64 = 0x696e_7374_6167_7261
    static let line: UInt64 = 0x6c69_6e65_0000_0000
    static let micromessenger: UInt64 = 0x6d69_6372_6f6d_6573
    static let musical: UInt64 = 0x6d75_7369_6361_6c00
    static let trill: UInt64 = 0x7472_696c_6c00_0000
    static let aweme: UInt64 = 0x6177_656d_6500_0000
    static let bytedancewebview: UInt64 = 0x6279_7465_6461_6e63
    static let tiktok: UInt64 = 0x7469_6b74_6f6b_0000
    static let snapchat: UInt64 = 0x736e_6170_6368_6174
    static let linkedinapp: UInt64 = 0x6c69_6e6b_6564_696e
    static let pinterest: UInt64 = 0x7069_6e74_6572_6573
    static let twitterandroid: UInt64 = 0x7477_6974_7465_7261
    static let twitter: UInt64 = 0x7477_6974_7465_7200
    static let kakaotalk: UInt64 = 0x6b61_6b61_6f74_616c

    // Link previews
    static let facebookexternalhit: UInt64 = 0x6661_6365_626f_6f6b
    static let facebot: UInt64 = 0x6661_6365_626f_7400
    static let externalfetcher: UInt64 = 0x6578_7465_726e_616c
    static let twitterbot: UInt64 = 0x7477_6974_7465_7262
    static let linkedinbot: UInt64 = 0x6c69_6e6b_6564_696e
    static let slackbot: UInt64 = 0x736c_6163_6b62_6f74
    static let imgproxy: UInt64 = 0x696d_6770_726f_7879
    static let discordbot: UInt64 = 0x6469_7363_6f72_6462
    static let telegrambot: UInt64 = 0x7465_6c65_6772_616d
    static let whatsapp: UInt64 = 0x7768_6174_7361_7070
    static let skypeuripreview: UInt64 = 0x736b_7970_6575_7269
    static let microsoftpreview: UInt64 = 0x6d69_6372_6f73_6f66
    static let redditbot: UInt64 = 0x7265_6464_6974_626f
    static let pinterestbot: UInt64 = 0x7069_6e74_6572_6573
    static let vkshare: UInt64 = 0x766b_7368_6172_6500
    static let odklbot: UInt64 = 0x6f64_6b6c_626f_7400
    static let linespider: UInt64 = 0x6c69_6e65_7370_6964
    static let scrap: UInt64 = 0x7363_7261_7000_0000
    static let snapurlpreview: UInt64 = 0x736e_6170_7572_6c70
    static let mastodon: UInt64 = 0x6d61_7374_6f64_6f6e
    static let iframely: UInt64 = 0x6966_7261_6d65_6c79
    static let embedly: UInt64 = 0x656d_6265_646c_7900
    static let bingpreview: UInt64 = 0x6269_6e67_7072_6576
    static let googleimageproxy: UInt64 = 0x676f_6f67_6c65_696d
    static let flipboardproxy: UInt64 = 0x666c_6970_626f_6172
    static let groupmebot: UInt64 = 0x6772_6f75_706d_6562
    static let mattermost: UInt64 = 0x6d61_7474_6572_6d6f
    static let tiktokspider: UInt64 = 0x7469_6b74_6f6b_7370
    static let preview: UInt64 = 0x7072_6576_6965_7700

    // Search
    static let googlebot: UInt64 = 0x676f_6f67_6c65_626f
    static let inspectiontool: UInt64 = 0x696e_7370_6563_7469
    static let bingbot: UInt64 = 0x6269_6e67_626f_7400
    static let applebot: UInt64 = 0x6170_706c_6562_6f74
    static let duckduckbot: UInt64 = 0x6475_636b_6475_636b
    static let yandexbot: UInt64 = 0x7961_6e64_6578_626f
    static let baiduspider: UInt64 = 0x6261_6964_7573_7069
    static let petalbot: UInt64 = 0x7065_7461_6c62_6f74
    static let slurp: UInt64 = 0x736c_7572_7000_0000

    // Monitors
    static let uptimerobot: UInt64 = 0x7570_7469_6d65_726f
    static let pingdom: UInt64 = 0x7069_6e67_646f_6d00
    static let statuscake: UInt64 = 0x7374_6174_7573_6361
    static let site24x7: UInt64 = 0x7369_7465_3234_7837
    static let googlestackdrivermonitoring: UInt64 = 0x676f_6f67_6c65_7374
    static let datadog: UInt64 = 0x6461_7461_646f_6700
    static let newrelicpinger: UInt64 = 0x6e65_7772_656c_6963
    static let kube: UInt64 = 0x6b75_6265_0000_0000
    static let healthchecker: UInt64 = 0x6865_616c_7468_6368
    static let uptime: UInt64 = 0x7570_7469_6d65_0000
    static let blackbox: UInt64 = 0x626c_6163_6b62_6f78

    // Scanners
    static let nuclei: UInt64 = 0x6e75_636c_6569_0000
    static let nikto: UInt64 = 0x6e69_6b74_6f00_0000
    static let masscan: UInt64 = 0x6d61_7373_6361_6e00
    static let zgrab: UInt64 = 0x7a67_7261_6200_0000
    static let nmap: UInt64 = 0x6e6d_6170_0000_0000
    static let sqlmap: UInt64 = 0x7371_6c6d_6170_0000
    static let censysinspect: UInt64 = 0x6365_6e73_7973_696e
    static let expanse: UInt64 = 0x6578_7061_6e73_6500
    static let proofpoint: UInt64 = 0x7072_6f6f_6670_6f69
    static let barracuda: UInt64 = 0x6261_7272_6163_7564
    static let mimecast: UInt64 = 0x6d69_6d65_6361_7374
    static let safelinks: UInt64 = 0x7361_6665_6c69_6e6b
    static let wpscan: UInt64 = 0x7770_7363_616e_0000
    static let virustotal: UInt64 = 0x7669_7275_7374_6f74
    static let urlscan: UInt64 = 0x7572_6c73_6361_6e00
    static let netcraft: UInt64 = 0x6e65_7463_7261_6674

    // Programs
    static let externalagent: UInt64 = 0x6578_7465_726e_616c
    static let googleassociationservice: UInt64 = 0x676f_6f67_6c65_6173
    static let curl: UInt64 = 0x6375_726c_0000_0000
    static let wget: UInt64 = 0x7767_6574_0000_0000
    static let python: UInt64 = 0x7079_7468_6f6e_0000
    static let aiohttp: UInt64 = 0x6169_6f68_7474_7000
    static let httpx: UInt64 = 0x6874_7470_7800_0000
    static let go: UInt64 = 0x676f_0000_0000_0000
    static let okhttp: UInt64 = 0x6f6b_6874_7470_0000
    static let java: UInt64 = 0x6a61_7661_0000_0000
    static let apache: UInt64 = 0x6170_6163_6865_0000
    static let axios: UInt64 = 0x6178_696f_7300_0000
    static let node: UInt64 = 0x6e6f_6465_0000_0000
    static let undici: UInt64 = 0x756e_6469_6369_0000
    static let libwww: UInt64 = 0x6c69_6277_7777_0000
    static let ruby: UInt64 = 0x7275_6279_0000_0000
    static let php: UInt64 = 0x7068_7000_0000_0000
    static let guzzlehttp: UInt64 = 0x6775_7a7a_6c65_6874
    static let headlesschrome: UInt64 = 0x6865_6164_6c65_7373
    static let phantomjs: UInt64 = 0x7068_616e_746f_6d6a
    static let puppeteer: UInt64 = 0x7075_7070_6574_6565
    static let playwright: UInt64 = 0x706c_6179_7772_6967
    static let selenium: UInt64 = 0x7365_6c65_6e69_756d
    static let scrapy: UInt64 = 0x7363_7261_7079_0000
    static let postmanruntime: UInt64 = 0x706f_7374_6d61_6e72
    static let insomnia: UInt64 = 0x696e_736f_6d6e_6961
    static let httpie: UInt64 = 0x6874_7470_6965_0000
    static let reqwest: UInt64 = 0x7265_7177_6573_7400
    static let restsharp: UInt64 = 0x7265_7374_7368_6172
    static let winhttp: UInt64 = 0x7769_6e68_7474_7000
    static let crawler: UInt64 = 0x6372_6177_6c65_7200
    static let spider: UInt64 = 0x7370_6964_6572_0000
    static let fetcher: UInt64 = 0x6665_7463_6865_7200
    static let scraper: UInt64 = 0x7363_7261_7065_7200

    /// Every number with the word that it stands for.
    static let all: [(word: String, key: UInt64)] = [
        ("iphone", iphone), ("ipod", ipod), ("ipad", ipad), ("macintosh", macintosh), ("silk", silk),
        ("kindle", kindle), ("android", android), ("cros", cros), ("windows", windows), ("phone", phone),
        ("harmonyos", harmonyos), ("openharmony", openharmony), ("tizen", tizen), ("web0s", web0s), ("webos", webos),
        ("smarttv", smarttv), ("appletv", appletv), ("playstation", playstation), ("nintendo", nintendo),
        ("roku", roku), ("linux", linux), ("x11", x11), ("mozilla", mozilla), ("applewebkit", applewebkit),
        ("safari", safari), ("chrome", chrome), ("chromium", chromium), ("firefox", firefox), ("edg", edg),
        ("edga", edga), ("edge", edge), ("edgios", edgios), ("opr", opr), ("opios", opios), ("opt", opt),
        ("samsungbrowser", samsungbrowser), ("version", version), ("mobile", mobile), ("crios", crios),
        ("fxios", fxios), ("gsa", gsa), ("wv", wv), ("cfnetwork", cfnetwork), ("fban", fban), ("fbav", fbav),
        ("fbios", fbios), ("fb4a", fb4a), ("metaiab", metaiab), ("messengerforios", messengerforios),
        ("instagram", instagram), ("line", line), ("micromessenger", micromessenger), ("musical", musical),
        ("trill", trill), ("aweme", aweme), ("bytedancewebview", bytedancewebview), ("tiktok", tiktok),
        ("snapchat", snapchat), ("linkedinapp", linkedinapp), ("pinterest", pinterest),
        ("twitterandroid", twitterandroid), ("twitter", twitter), ("kakaotalk", kakaotalk),
        ("facebookexternalhit", facebookexternalhit), ("facebot", facebot), ("externalfetcher", externalfetcher),
        ("twitterbot", twitterbot), ("linkedinbot", linkedinbot), ("slackbot", slackbot), ("imgproxy", imgproxy),
        ("discordbot", discordbot), ("telegrambot", telegrambot), ("whatsapp", whatsapp),
        ("skypeuripreview", skypeuripreview), ("microsoftpreview", microsoftpreview), ("redditbot", redditbot),
        ("pinterestbot", pinterestbot), ("vkshare", vkshare), ("odklbot", odklbot), ("linespider", linespider),
        ("scrap", scrap), ("snapurlpreview", snapurlpreview), ("mastodon", mastodon), ("iframely", iframely),
        ("embedly", embedly), ("bingpreview", bingpreview), ("googleimageproxy", googleimageproxy),
        ("flipboardproxy", flipboardproxy), ("groupmebot", groupmebot), ("mattermost", mattermost),
        ("tiktokspider", tiktokspider), ("preview", preview), ("googlebot", googlebot),
        ("inspectiontool", inspectiontool), ("bingbot", bingbot), ("applebot", applebot),
        ("duckduckbot", duckduckbot), ("yandexbot", yandexbot), ("baiduspider", baiduspider), ("petalbot", petalbot),
        ("slurp", slurp), ("uptimerobot", uptimerobot), ("pingdom", pingdom), ("statuscake", statuscake),
        ("site24x7", site24x7), ("googlestackdrivermonitoring", googlestackdrivermonitoring), ("datadog", datadog),
        ("newrelicpinger", newrelicpinger), ("kube", kube), ("healthchecker", healthchecker), ("uptime", uptime),
        ("blackbox", blackbox), ("nuclei", nuclei), ("nikto", nikto), ("masscan", masscan), ("zgrab", zgrab),
        ("nmap", nmap), ("sqlmap", sqlmap), ("censysinspect", censysinspect), ("expanse", expanse),
        ("proofpoint", proofpoint), ("barracuda", barracuda), ("mimecast", mimecast), ("safelinks", safelinks),
        ("wpscan", wpscan), ("virustotal", virustotal), ("urlscan", urlscan), ("netcraft", netcraft),
        ("externalagent", externalagent), ("googleassociationservice", googleassociationservice), ("curl", curl),
        ("wget", wget), ("python", python), ("aiohttp", aiohttp), ("httpx", httpx), ("go", go), ("okhttp", okhttp),
        ("java", java), ("apache", apache), ("axios", axios), ("node", node), ("undici", undici), ("libwww", libwww),
        ("ruby", ruby), ("php", php), ("guzzlehttp", guzzlehttp), ("headlesschrome", headlesschrome),
        ("phantomjs", phantomjs), ("puppeteer", puppeteer), ("playwright", playwright), ("selenium", selenium),
        ("scrapy", scrapy), ("postmanruntime", postmanruntime), ("insomnia", insomnia), ("httpie", httpie),
        ("reqwest", reqwest), ("restsharp", restsharp), ("winhttp", winhttp), ("crawler", crawler),
        ("spider", spider), ("fetcher", fetcher), ("scraper", scraper),
    ]

    /// The first eight letters, for tests and for those who add a word.
    static func key(_ word: String) -> UInt64 {
        var key: UInt64 = 0
        for byte in word.utf8.prefix(8) { key = key << 8 | UInt64(byte.lowercased) }
        return key << UInt64(8 * max(0, 8 - word.utf8.count))
    }
}
