package waymark.client.routing;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import waymark.client.Cancellable;
import waymark.client.DeferredDeeplink;
import waymark.client.InstallReferrer;
import waymark.client.OnFailure;
import waymark.client.OnNullableResult;
import waymark.client.OnResult;
import waymark.client.ResolvedLink;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.android.IntentLinks;
import waymark.client.android.MainThreadExecutor;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.ServiceParameters;

/**
 * The app's router: maps routes to code and opens deep links.
 *
 * <pre>{@code
 * Deeplinking deeplinking = new Deeplinking(client, "shop");
 * deeplinking.map("products/:product_id", deeplink -> show(deeplink.getRouteParameters().get("product_id")));
 * deeplinking.open(intent);
 * }</pre>
 *
 * <p>A link opens in a fixed order: it becomes the current one; filters run in the order in which they were added, and
 * the first that returns false holds it back; handlers run; the target runs.
 *
 * <p>Use it on the main thread only. Filters, handlers, targets and callbacks run there and may call it.
 */
public final class Deeplinking {
    private static final String STATE = "waymark.client.link";
    private static final OnResult<OpenResult> IGNORE = result -> {};

    private final SmartlinkService service;
    private final LinkDestinations destinations;
    private final List<String> schemes;
    private final RoutingDialect dialect;
    private final RouteTable<DeeplinkTarget> routes;
    private final IntentLinks intents = new IntentLinks();
    private DeeplinkTarget defaultTarget;
    /** Copied on change: a link that is being opened uses those that were there when it arrived. */
    private final List<DeeplinkRegistration> filters = new CopyOnWriteArrayList<>();
    private final List<DeeplinkRegistration> handlers = new CopyOnWriteArrayList<>();
    private Deeplink currentDeeplink;
    /** The number of the most recent link. A response for an earlier one is ignored. */
    private int lastTurn;
    /** The number of the link that waits for the service. */
    private int waitingTurn = -1;
    private String waitingUrl;
    /** The request of that link. */
    private Cancellable waiting;

    /**
     * Creates a router with the default dialect.
     *
     * @param service usually a {@link WaymarkClient}; null for routes only
     * @param schemes the app's own URL schemes; web links of other hosts open under the first one
     */
    public Deeplinking(@Nullable SmartlinkService service, @NonNull String... schemes) {
        this(service, RoutingDialect.IOS, schemes);
    }

    public Deeplinking(@Nullable SmartlinkService service, @NonNull RoutingDialect dialect,
            @NonNull String... schemes) {
        this.service = service;
        this.dialect = dialect;
        this.schemes = Collections.unmodifiableList(Arrays.asList(schemes.clone()));
        destinations = new LinkDestinations(
                service == null ? Collections.<String>emptySet() : service.getDomains(), this.schemes);
        routes = new RouteTable<>(dialect);
    }

    // Routes

    /**
     * Maps a route to a target.
     *
     * @param route a format such as {@code products/:product_id}; an empty one is the default route
     * @throws IllegalStateException if the route is mapped; the first target stays
     */
    public void map(@NonNull String route, @NonNull DeeplinkTarget target) {
        RouteFormat format = new RouteFormat(route);
        if (format.text.isEmpty()) {
            mapDefault(target);
        } else if (!routes.map(format, target)) {
            throw new IllegalStateException("the route '" + format.text + "' is mapped already");
        }
    }

    /**
     * Maps the target of links that match no route. In the dialect {@code IOS} the last one counts.
     *
     * @throws IllegalStateException in the dialect {@code ANDROID}, if there is one
     */
    public void mapDefault(@NonNull DeeplinkTarget target) {
        if (defaultTarget != null && dialect.keepsFirstDefaultRoute()) {
            throw new IllegalStateException("the default route is mapped already");
        }
        defaultTarget = target;
    }

    /** Whether the route is mapped, ignoring redundant slashes. */
    public boolean isMapped(@NonNull String route) {
        return routes.contains(new RouteFormat(route));
    }

    /** The formats in order of priority, without the default route. */
    @NonNull
    public List<String> getMappedRoutes() {
        return routes.formats();
    }

    @NonNull
    public DeeplinkRegistration addFilter(@NonNull DeeplinkFilter filter) {
        DeeplinkRegistration registration = new DeeplinkRegistration(filter);
        filters.add(registration);
        return registration;
    }

    @NonNull
    public DeeplinkRegistration addHandler(@NonNull DeeplinkHandler handler) {
        DeeplinkRegistration registration = new DeeplinkRegistration(handler);
        handlers.add(registration);
        return registration;
    }

    /** Removes a filter or a handler. A link that is being opened is still passed to it. */
    public void remove(@NonNull DeeplinkRegistration registration) {
        filters.remove(registration);
        handlers.remove(registration);
    }

    // Opening

    /** The most recently opened link, whether or not filters let it pass; null before the first one. */
    @Nullable
    public Deeplink getCurrentDeeplink() {
        return currentDeeplink;
    }

    /** The app's own URL schemes. */
    @NonNull
    public List<String> getSchemes() {
        return schemes;
    }

    /**
     * Opens the link of an intent. Call it in {@code onNewIntent}; in {@code onCreate} use
     * {@link #open(Intent, Bundle)}.
     *
     * @return whether the intent had a link that was opened or is being resolved
     */
    public boolean open(@Nullable Intent intent) {
        return open(intent, null);
    }

    /**
     * Opens the link that an activity was started with. Call it in {@code onCreate}.
     *
     * <p>Nothing is opened if the activity was recreated, after a rotation or the end of the process, or if it was
     * started from the list of recent apps: the link was opened before; except for a link that {@link #save} kept. Only
     * {@code ACTION_VIEW} with a web link or one of the app's schemes counts, because any app can start an exported
     * activity with anything.
     *
     * @param savedInstanceState what {@code onCreate} received
     * @return whether the intent had a link that was opened or is being resolved
     */
    public boolean open(@Nullable Intent intent, @Nullable Bundle savedInstanceState) {
        return open(intent, savedInstanceState, null);
    }

    /**
     * @param referrer the app that sent the intent: {@code activity.getReferrer()}, which reads an extra of the intent
     *     and can be forged; may be null
     */
    public boolean open(@Nullable Intent intent, @Nullable Bundle savedInstanceState, @Nullable Uri referrer) {
        boolean isNew = savedInstanceState != null && !hasLink();
        String saved = isNew ? savedInstanceState.getString(STATE) : null;
        String url = saved != null ? saved : intents.url(intent, savedInstanceState, schemes);
        return url != null && open(url, referrer == null ? null : referrer.toString(), IGNORE);
    }

    /**
     * Keeps a link that waits for the service, in case the process ends. Call it in {@code onSaveInstanceState}; {@link
     * #open(Intent, Bundle)} opens the link then. A link that a filter holds back is not kept: opening it again would
     * count it twice.
     */
    public void save(@NonNull Bundle outState) {
        if (waitingTurn == lastTurn) outState.putString(STATE, waitingUrl);
    }

    /** Opens any URL; see {@link #open(String, OnResult)}. */
    public boolean open(@NonNull String url) {
        return open(url, null, IGNORE);
    }

    /**
     * Opens any URL that an app can be opened with.
     *
     * <p>A web link of the app's domains is a smart link: it is resolved, and its destination opens with its metadata;
     * if that fails, the default route opens. A web link of another host opens as the app's URL with the same path and
     * query. Any other URL opens as it is; if it announces metadata, that is fetched first.
     *
     * <p>The last link wins: a response that arrives after a later link was opened is ignored.
     *
     * @param onResult receives the outcome, also if it is known at once
     * @return whether the link was opened, or would be by a response of the service
     */
    public boolean open(@NonNull String url, @NonNull OnResult<OpenResult> onResult) {
        return open(url, null, onResult);
    }

    /** @param sourceApplication the app that opened the URL; may be null */
    public boolean open(@NonNull String url, @Nullable String sourceApplication,
            @NonNull OnResult<OpenResult> onResult) {
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.sourceApplication = sourceApplication;
        source.originalUrl = url;
        DeepLinkUrl destination = destinations.of(new DeepLinkUrl(url));
        if (destination == null) {
            resolve(url, source, true, onResult);
            return true;
        }
        RoutedDeeplink opening = opening(destination, source, null);
        if (!waitsForMetadata(opening)) {
            OpenResult result = result(opening);
            onResult.onResult(result);
            return result.isOpened();
        }
        int turn = begin(source);
        waiting = service.resolveClick(opening.deeplink.getClickId(),
                link -> openWith(link, opening, turn, onResult),
                error -> openWith(null, opening, turn, onResult));
        return opening.target != null;
    }

    private boolean waitsForMetadata(RoutedDeeplink opening) {
        return opening.deeplink.needsMetadata() && service != null && opening.deeplink.getClickId() != null
                && (opening.target != null || dialect.keepsUnroutedDeeplink());
    }

    /** Opens a link with what its resolve answered; null if that failed. */
    private void openWith(ResolvedLink link, RoutedDeeplink opening, int turn, OnResult<OpenResult> onResult) {
        RoutedDeeplink complete = opening;
        if (link != null && (link.getMetadata() != null || link.getUpdate() != null)) {
            DeeplinkBuilder content = opening.deeplink.content.copy();
            content.setAnswer(link);
            complete = new RoutedDeeplink(new Deeplink(content), opening.target);
        }
        onResult.onResult(end(turn) ? result(complete) : OpenResult.notOpened(complete.deeplink));
    }

    /**
     * Opens a smart link inside the app, such as a scanned code. If it can't be resolved, nothing opens.
     *
     * @param onResult receives the outcome
     */
    public void openSmartlink(@NonNull String smartlink, @NonNull OnResult<OpenResult> onResult) {
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.originalUrl = smartlink;
        resolve(smartlink, source, false, onResult);
    }

    private void resolve(String smartlink, DeeplinkBuilder source, boolean opensDefaultRoute,
            OnResult<OpenResult> onResult) {
        int turn = begin(source);
        OnFailure onFailure = error -> {
            if (end(turn) && opensDefaultRoute) perform(opening(new DeepLinkUrl(""), source, null));
            onResult.onResult(OpenResult.failed(error));
        };
        if (service == null) {
            onFailure.onFailure(WaymarkException.of(
                    WaymarkException.Kind.UNREACHABLE, "the router was made without a client"));
            return;
        }
        waiting = service.resolve(smartlink, link -> {
            DeeplinkBuilder resolved = source.copy();
            resolved.smartlink = smartlink;
            RoutedDeeplink opening = opening(destinations.of(link), resolved, link);
            onResult.onResult(end(turn) ? result(opening) : OpenResult.notOpened(opening.deeplink));
        }, onFailure);
    }

    /**
     * Opens a link that was made by the app or held back before. A route with exactly its format must be mapped; only a
     * link from a URL that matched no route opens the default route.
     *
     * @return whether it was opened
     */
    public boolean open(@NonNull Deeplink deeplink) {
        DeeplinkTarget target = deeplink.getRoute() != null ? routes.target(deeplink.getRoute())
                : deeplink.getOpenedUrl() != null ? defaultTarget : null;
        return target != null && perform(new RoutedDeeplink(deeplink, target));
    }

    /** Opens the current link again, for example after the sign-in that a filter asked for. */
    public boolean openCurrentDeeplink() {
        return currentDeeplink != null && open(currentDeeplink);
    }

    /** Whether {@code open} would find a route, including the default route. A smart link can always be opened. */
    public boolean canOpen(@NonNull String url) {
        DeepLinkUrl destination = destinations.of(new DeepLinkUrl(url));
        return destination == null || opening(destination, new DeeplinkBuilder(), null).target != null;
    }

    // Deferred

    /**
     * Claims the deferred deep link of this installation and opens it. A link that the app was started with takes
     * precedence: call this after {@link #open(Intent, Bundle)}.
     *
     * @param referrer such as {@code new PlayInstallReferrer(context)}; null without a store
     * @param clipboard the clipboard's text, read with the person's consent; may be null
     * @param onResult receives the outcome; null if there is no deferred deep link
     */
    public void openDeferred(@Nullable InstallReferrer referrer, @Nullable String clipboard,
            @NonNull OnNullableResult<OpenResult> onResult) {
        if (service != null && !hasLink()) {
            service.claimDeferred(referrer, clipboard, deferred -> open(deferred, onResult),
                    error -> onResult.onResult(OpenResult.failed(error)));
            return;
        }
        if (service != null) {
            service.recordInstallation(null);
            service.endClaim();
        }
        onResult.onResult(null);
    }

    private void open(DeferredDeeplink deferred, OnNullableResult<OpenResult> onResult) {
        if (deferred == null) {
            onResult.onResult(null);
            return;
        }
        ResolvedLink link = deferred.getLink();
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.isDeferred = true;
        source.clickId = deferred.getClickId();
        RoutedDeeplink opening = opening(destinations.of(link), source, link);
        onResult.onResult(hasLink() ? OpenResult.notOpened(opening.deeplink) : result(opening));
    }

    // Creating

    /**
     * Creates a smart link that leads to the deep link.
     *
     * @throws IllegalArgumentException if its route is not mapped and it has no URLs of its own
     */
    public void generateSmartlink(@NonNull Deeplink deeplink, @NonNull OnResult<String> onSuccess,
            @NonNull OnFailure onFailure) {
        boolean isKnown = deeplink.getRoute() != null && isMapped(deeplink.getRoute());
        if (!isKnown && deeplink.content.urls.isEmpty()) {
            throw new IllegalArgumentException("the route '" + deeplink.getRoute() + "' is not mapped");
        }
        if (service == null) throw new IllegalStateException("the router was made without a client");
        service.createSmartlink(deeplink.toLinkRequest(), onSuccess, onFailure);
    }

    // Steps

    /**
     * @param source what is known of the link beyond its URL
     * @param link what the service has answered; null if it was not asked
     */
    private RoutedDeeplink opening(DeepLinkUrl url, DeeplinkBuilder source, ResolvedLink link) {
        DeepLinkUrl plain = ServiceParameters.of(url).getPlain();
        RouteTable.Match<DeeplinkTarget> match = routes.match(plain);
        DeeplinkBuilder content = source.copy();
        if (match != null) {
            content.route = match.format;
            content.routeParameters = match.parameters;
        }
        content.queryParameters = dialect.queryParameters(plain);
        content.openedUrl = url;
        if (link != null) content.setAnswer(link);
        return new RoutedDeeplink(new Deeplink(content), match == null ? defaultTarget : match.target);
    }

    private OpenResult result(RoutedDeeplink opening) {
        boolean isOpened = perform(opening);
        return isOpened ? OpenResult.opened(opening.deeplink) : OpenResult.notOpened(opening.deeplink);
    }

    /** Runs filters, handlers and the target, in this order. */
    private boolean perform(RoutedDeeplink opening) {
        Deeplink deeplink = opening.deeplink;
        if (opening.target == null && !dialect.keepsUnroutedDeeplink()) return false;
        int turn = next();
        currentDeeplink = deeplink;
        // Once per link: opening it again after a filter held it back is no second opening.
        if (deeplink.isFromSmartlink() && service != null && deeplink.takeRecording()) {
            service.recordOpen(deeplink.getClickId(), deeplink.getSmartlink());
        }
        if (opening.target == null) return false;
        Iterator<DeeplinkRegistration> present = handlers.iterator();
        // A filter or a handler may open another link, which is the last one then.
        for (DeeplinkRegistration filter : filters) {
            if (!((DeeplinkFilter) filter.object).filter(deeplink) || turn != lastTurn) return false;
        }
        while (present.hasNext()) {
            ((DeeplinkHandler) present.next().object).handle(deeplink);
            if (turn != lastTurn) return false;
        }
        opening.target.open(deeplink);
        deeplink.setWasOpened();
        return true;
    }

    private boolean hasLink() {
        return currentDeeplink != null || waitingTurn == lastTurn;
    }

    /** Begins with another link, for which the one that waits is given up. */
    private int next() {
        MainThreadExecutor.check();
        Cancellable earlier = waiting;
        waiting = null;
        lastTurn++;
        if (earlier != null) earlier.cancel();
        return lastTurn;
    }

    private int begin(DeeplinkBuilder source) {
        waitingUrl = source.originalUrl;
        waitingTurn = next();
        return waitingTurn;
    }

    /** True if no other link was opened since. */
    private boolean end(int turn) {
        if (waitingTurn == turn) waitingTurn = -1;
        if (turn == lastTurn) waiting = null;
        return turn == lastTurn;
    }
}
