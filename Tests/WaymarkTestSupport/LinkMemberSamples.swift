/// Two values, as JSON, for each member of a link that its owner sets and that is not a label. The links that they make
/// together are valid for an application with the scheme `shop` and a template for `products/:product_id`.
public let linkMemberSamples: [String: (first: String, second: String)] = [
    "route": (#""products/:product_id""#, #""sale/:product_id""#),
    "routeParameters": (#"{"product_id": "42"}"#, #"{"product_id": "a b/ü"}"#),
    "queryParameters": (#"{"from": "mail"}"#, #"{"a=b": "'x", "empty": ""}"#),
    "urls": (
        #"{"web": "https://shop.example.com/:product_id", "ios": {"link": "shop://products/:product_id", "fallback": "store"}}"#,
        #"{"web": "https://shop.example.com/2/:product_id"}"#
    ),
    "metadata": (#"{"coupon": "20"}"#, #"{"coupon": 4.20}"#),
    "redeemLimit": ("1", "7"),
    "disabled": ("true", "false"),
    "validFrom": (#""2026-01-02T03:04:05Z""#, #""2026-01-02T03:04:05.678Z""#),
    "expiresAt": (#""2036-01-02T03:04:05Z""#, #""2037-01-02T03:04:05Z""#),
    "maxClicks": ("100", "1"),
    "password": (#""first""#, #""second \u00fc \ud83d\udd11""#),
    "social": (
        #"{"title": "Shoes", "description": "Red", "imageURL": "https://shop.example.com/a.png"}"#,
        #"{"title": "=1+1", "description": null, "imageURL": null}"#
    ),
    "campaign": (
        #"{"source": "mail", "medium": "m", "name": "n", "term": "t", "content": "c"}"#,
        #"{"source": "@news", "medium": null, "name": null, "term": null, "content": null}"#
    ),
    "tags": (#"["autumn"]"#, #"["a,b", "[c]"]"#),
    "forwardQuery": ("false", "true"),
    "queryOverride": ("true", "false"),
    "redirectStatus": ("307", "301"),
    "clickDetail": (#""noVisitors""#, #""countOnly""#),
    "onExpired": (#""https://shop.example.com/over""#, #""https://shop.example.com/late""#),
    "rules": (
        #"[{"when": {"country": "DE", "inApp": true}, "to": "https://shop.example.com/de/:product_id"}]"#,
        #"[{"name": "1 of 2, ü", "when": {"query": {"x": true}}, "to": {"ios": {"link": "shop://x", "fallback": "web"}}}]"#
    ),
    "minimumVersion": (#"{"ios": "4.2", "android": "412"}"#, #"{"android": "7"}"#),
]
