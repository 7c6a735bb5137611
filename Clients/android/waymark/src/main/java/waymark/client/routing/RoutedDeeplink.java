package waymark.client.routing;

import waymark.client.WaymarkException;

/** A link and its target, which is null if no route matches and there is no default route. */
final class RoutedDeeplink {
    final Deeplink deeplink;
    final AsyncDeeplinkTarget target;
    /** Whether the route of the service's answer decided, not a URL. */
    final boolean isByAnswer;

    RoutedDeeplink(Deeplink deeplink, AsyncDeeplinkTarget target) {
        this(deeplink, target, false);
    }

    RoutedDeeplink(Deeplink deeplink, AsyncDeeplinkTarget target, boolean isByAnswer) {
        this.deeplink = deeplink;
        this.target = target;
        this.isByAnswer = isByAnswer;
    }

    /** The same link, whose metadata could not be fetched. */
    RoutedDeeplink withoutMetadata(WaymarkException error) {
        DeeplinkBuilder content = deeplink.content.copy();
        content.error = error;
        return new RoutedDeeplink(new Deeplink(content), target);
    }
}
