package waymark.client.routing;

/** A link and its target, which is null if no route matches and there is no default route. */
final class RoutedDeeplink {
    final Deeplink deeplink;
    final DeeplinkTarget target;

    RoutedDeeplink(Deeplink deeplink, DeeplinkTarget target) {
        this.deeplink = deeplink;
        this.target = target;
    }
}
