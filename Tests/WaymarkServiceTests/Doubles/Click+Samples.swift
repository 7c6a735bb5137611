import WaymarkLinks

extension Click {
    private static let phone = UserAgent.classify(
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 "
            + "Mobile/15E148 Safari/604.1")
    private static let crawler = UserAgent.classify("facebookexternalhit/1.1")

    static func person(
        _ link: LinkID, at time: Timestamp = Timestamp(seconds: 1_790_000_000), subscriber: UInt64 = 1,
        detail: ClickDetail = .full
    ) -> Click {
        Click(link: link, time: time, kind: phone, destination: .app, subscriber: subscriber, detail: detail)
    }

    static func program(_ link: LinkID, at time: Timestamp = Timestamp(seconds: 1_790_000_000)) -> Click {
        Click(link: link, time: time, kind: crawler, destination: .preview)
    }
}
