/// The application that the tests serve: a shop with one domain, one template and an app on each platform.
enum Shop {
    static let host = "go.example.com"

    static let applications = "[\(application())]"

    /// - Parameter templates: further templates, each with a comma ahead of it.
    static func application(templates: String = "") -> String {
        """
        {"id": "shop", "name": "Shop", "domains": ["go.example.com"], "baseURL": "https://go.example.com",
         "ios": {"appIDs": ["ABCDE12345.com.example.shop"], "urlScheme": "shop", "appStoreID": "123456789",
                 "components": [{"/": "/_/*", "exclude": true}, {"/": "/*"}]},
         "android": {"package": "com.example.shop", "urlScheme": "shop", "sha256CertFingerprints": ["\(fingerprint)"]},
         "web": {"baseURL": "https://shop.example.com"},
         "templates": [
          {"name": "product", "route": "products/:product_id",
           "urls": {"web": "https://shop.example.com/products/:product_id",
                    "ios": {"link": "shop://products/:product_id", "fallback": "store"},
                    "android": {"link": "shop://products/:product_id", "fallback": "store"}}}\(templates)]}
        """
    }

    static let fingerprint =
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

    /// A template that `application(templates:)` adds.
    static let collection = """
        , {"name": "collection", "route": "collections/:collection",
           "urls": {"web": "https://shop.example.com/collections/:collection"}}
        """

    /// Product 42 with a coupon, as the documentation's first example has it.
    static func gift(slug: String = "gift", redeemLimit: Int = 1) -> String {
        """
        {"slug": "\(slug)", "route": "products/:product_id", "routeParameters": {"product_id": "42"},
         "queryParameters": {"referrer": "ana"}, "metadata": {"coupon": "20"}, "redeemLimit": \(redeemLimit)}
        """
    }
}

/// Browsers, as they name themselves.
enum Browser {
    static let desktop =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    static let android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
    static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
    static let iPad =
        "Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
}
