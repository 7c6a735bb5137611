extension SiteFixture {
    /// The interface's own example.
    static let shop = """
        { "id": "shop", "name": "Shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
          "ios": { "appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789",
                   "components": [ {"/": "/_/*", "exclude": true}, {"/": "/*"} ],
                   "paths": null, "appClips": [], "webCredentials": [] },
          "android": { "package": "com.example.shop", "urlScheme": "shop",
                       "sha256CertFingerprints":
                         ["14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"] },
          "web": { "baseURL": "https://shop.example.com" },
          "templates": [
            { "name": "product", "route": "products/:product_id",
              "urls": { "web": "https://shop.example.com/products/:product_id",
                        "ios": {"link": "shop://products/:product_id", "fallback": "store"},
                        "android": {"link": "shop://products/:product_id", "fallback": "store"} } } ] }
        """

    static let news = """
        { "id": "news", "name": "News", "domains": ["news.example.com"], "baseURL": "https://news.example.com",
          "onExpired": "https://news.example.org/old", "onUnknown": "https://news.example.org/where",
          "redirectStatus": 307 }
        """

    /// The example of the seeds: a product, a referrer, a coupon for one.
    static let product = """
        { "route": "products/:product_id", "routeParameters": {"product_id": "42"},
          "queryParameters": {"referrer": "ana"}, "metadata": {"coupon": "20"}, "redeemLimit": 1 }
        """

    static let plain = #"{"urls": {"web": "https://www.example.com/page"}}"#
}

/// What browsers call themselves.
enum Agent {
    static let windows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
    static let iphone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/18.0 Mobile/15E148 Safari/604.1"
    static let ipad =
        "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/18.0 Mobile/15E148 Safari/604.1"
    static let mac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/18.0 Safari/605.1.15"
    static let android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/130.0.0.0 Mobile Safari/537.36"
    static let crawler = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"
    static let search = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
}
