package waymark.client.routing;

import java.util.Collections;
import java.util.List;
import waymark.client.OnResult;
import waymark.client.SmartlinkService;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PortableText;

/** Says what a router would do with a URL; it runs, records and keeps nothing. */
final class LinkExplainer {
    private final SmartlinkService service;
    private final LinkRouting routing;
    private final List<String> schemes;

    LinkExplainer(SmartlinkService service, LinkRouting routing, List<String> schemes) {
        this.service = service;
        this.routing = routing;
        this.schemes = schemes;
    }

    LinkExplanation explain(String url) {
        if (LinkRouting.isTooLong(url)) return unhandled(LinkExplanation.Why.TOO_LONG);
        DeepLinkUrl given = new DeepLinkUrl(url);
        if (routing.destinations.isForeign(given)) return unhandled(LinkExplanation.Why.FOREIGN_SCHEME);
        boolean isSmartlink = routing.destinations.isSmartlinkHost(given);
        DeepLinkUrl destination = routing.destinations.of(given);
        if (destination == null) {
            return new LinkExplanation(LinkExplanation.Outcome.RESOLVES, LinkExplanation.Why.SMARTLINK, null,
                    Collections.<String>emptyList(), null, given.getHost());
        }
        LinkExplanation.Why why = isSmartlink ? LinkExplanation.Why.LAZY_LINK
                : given.isWeb() ? LinkExplanation.Why.OTHER_HOST : LinkExplanation.Why.APP_LINK;
        return explanation(why, routing.byUrl(destination, new DeeplinkBuilder(), null), given.getHost());
    }

    void explain(String url, OnResult<LinkExplanation> onResult) {
        LinkExplanation known = explain(url);
        if (known.getOutcome() != LinkExplanation.Outcome.RESOLVES || service == null) {
            onResult.onResult(known);
            return;
        }
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.originalUrl = url;
        service.resolveOnce(url, answer -> {
            RoutedDeeplink routed = routing.byAnswer(answer, source);
            onResult.onResult(explanation(
                    routed.isByAnswer ? LinkExplanation.Why.ANSWER_ROUTE : LinkExplanation.Why.ANSWER_URL, routed, null));
        }, error -> {
            RoutedDeeplink unknown = LinkOpenings.isUnknown(error) ? routing.unknown(source) : null;
            onResult.onResult(unknown != null ? explanation(LinkExplanation.Why.UNKNOWN_LINK, unknown, null)
                    : new LinkExplanation(routing.defaultTarget == null ? LinkExplanation.Outcome.NOTHING
                            : LinkExplanation.Outcome.OPENS_DEFAULT, LinkExplanation.Why.FAILED, null,
                            Collections.<String>emptyList(), error, null));
        });
    }

    private LinkExplanation unhandled(LinkExplanation.Why why) {
        return new LinkExplanation(LinkExplanation.Outcome.NOT_HANDLED, why, null, Collections.<String>emptyList(), null,
                PortableText.join(", ", schemes));
    }

    private LinkExplanation explanation(LinkExplanation.Why why, RoutedDeeplink routed, String subject) {
        LinkExplanation.Outcome outcome = routed.deeplink.getRoute() != null ? LinkExplanation.Outcome.OPENS
                : routed.target != null ? LinkExplanation.Outcome.OPENS_DEFAULT : LinkExplanation.Outcome.NOTHING;
        return new LinkExplanation(outcome, why, routed.deeplink, routing.otherRoutes(routed.deeplink), null, subject);
    }
}
