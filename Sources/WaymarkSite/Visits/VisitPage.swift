import WaymarkLinks

/// The page of a resolution, for one visit.
struct VisitPage {
    let question: VisitEvaluation
    let visit: Visit
    let now: Timestamp

    private var application: Application { question.application }

    /// - Precondition: the resolution has its own page: it has a destination, or is a preview.
    func page(_ resolution: Resolution) -> Page {
        let context = PageContext(
            language: visit.pageLanguage, application: application, social: question.link.content.social,
            sha256: question.sha256)
        if visit.showsOnly {
            let elsewhere = question.link.targetsElsewhere(
                application: application, visitor: question.visitor, now: now)
            return DetailsPage.page(resolution, elsewhere: elsewhere, slug: visit.slug, context)
        }
        switch resolution {
        case .openApp(let opening):
            let isApple = question.visitor.platform.isApple
            return OpenAppPage.page(opening, context, tags: tags(banner: isApple ? opening : nil))
        case .distinguishMac(let mac, let ipad):
            var banner: Resolution.AppOpening?
            if case .openApp(let opening) = ipad { banner = opening }
            return DevicePage.page(mac: mac, ipad: ipad, context, tags: tags(banner: banner))
        case .preview(let card, let url):
            return PreviewPage.page(card, url: url, context, tags: tags(banner: nil))
        case .redirect, .nowhere, .disabled, .expired, .exhausted, .scheduled:
            preconditionFailure("this resolution has no page here")
        }
    }

    private func tags(banner opening: Resolution.AppOpening?) -> Markup {
        """
        \(AppLinkTags.smartAppBanner(opening, application))\
        \(AppLinkTags.appLinks(question.link, application, question.visitor, now: now))
        """
    }
}
