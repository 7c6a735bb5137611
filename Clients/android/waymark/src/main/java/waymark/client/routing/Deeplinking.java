package waymark.client.routing;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import waymark.client.InstallReferrer;
import waymark.client.OnFailure;
import waymark.client.OnNullableResult;
import waymark.client.OnResult;
import waymark.client.LinkDiagnostic;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkClient;
import waymark.client.android.IntentLinks;
import waymark.client.internal.KeptLink;
import waymark.client.url.DeepLinkUrl;

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
 * the first that returns false holds it back; handlers run; the target runs. What the service has answered is kept, also
 * when the process ends, until the target has run or 30 days have passed.
 *
 * <p>Use it on the main thread only. Filters, handlers, targets and callbacks run there and may call it.
 */
public final class Deeplinking {
    /** A link that is in the storage, too, as long as it is to be opened. */
    private static final String KEPT = "waymark.client.kept";
    /** A link that could not be stored. */
    private static final String STATE = "waymark.client.link";
    private final SmartlinkService service;
    private final LinkRouting routing;
    private final LinkOpenings openings;
    private final LinkExplainer explainer;
    private final List<String> schemes;
    private final IntentLinks intents = new IntentLinks();

    /**
     * Creates a router with the default dialect.
     *
     * @param service usually a {@link WaymarkClient}; null for routes only
     * @param schemes the app's own URL schemes. URLs of others are not handled, but web links of other hosts open under the
     *     first one. Without any, every URL is handled.
     */
    public Deeplinking(@Nullable SmartlinkService service, @NonNull String... schemes) {
        this(service, RoutingDialect.STANDARD, schemes);
    }

    public Deeplinking(@Nullable SmartlinkService service, @NonNull RoutingDialect dialect,
            @NonNull String... schemes) {
        this.service = service;
        this.schemes = Collections.unmodifiableList(Arrays.asList(schemes.clone()));
        routing = new LinkRouting(new LinkDestinations(
                service == null ? Collections.<String>emptySet() : service.getDomains(), this.schemes), dialect);
        openings = new LinkOpenings(service, routing);
        explainer = new LinkExplainer(service, routing, this.schemes);
    }

    /**
     * How long a link waits for the service before the default route opens, in milliseconds. Default: 5,000. An answer
     * that comes later opens only by {@link #openCurrentDeeplink()}. If the process slept meanwhile, and is more than a
     * second past the limit, the default route does not open either.
     */
    public void setOpeningTimeLimit(long milliseconds) {
        openings.openingTimeLimit = Math.max(1, milliseconds);
    }

    /** @param onDiagnostic receives each step, without values and keys, such as {@code step -> Log.d("links", "" + step)} */
    public void setOnDiagnostic(@NonNull OnResult<LinkDiagnostic> onDiagnostic) {
        openings.onDiagnostic = onDiagnostic;
    }

    // Routes

    /**
     * Maps a route to a target.
     *
     * @param route a format such as {@code products/:product_id}; an empty one is the default route
     * @throws IllegalStateException if the route is mapped; the first target stays
     */
    public void map(@NonNull String route, @NonNull DeeplinkTarget target) {
        map(route, synchronous(target));
    }

    /** @see #map(String, DeeplinkTarget) */
    public void map(@NonNull String route, @NonNull AsyncDeeplinkTarget target) {
        RouteFormat format = new RouteFormat(route);
        if (format.text.isEmpty()) {
            mapDefault(target);
        } else if (!routing.routes.map(format, target)) {
            throw new IllegalStateException("the route '" + format.text + "' is mapped already");
        }
    }

    /**
     * Maps the target of links that match no route, and of those that could not be resolved ({@link Deeplink#getError}).
     * The last one counts.
     *
     * @throws IllegalStateException in the dialect {@code ANDROID}, if there is one
     */
    public void mapDefault(@NonNull DeeplinkTarget target) {
        mapDefault(synchronous(target));
    }

    /** @see #mapDefault(DeeplinkTarget) */
    public void mapDefault(@NonNull AsyncDeeplinkTarget target) {
        if (routing.defaultTarget != null && routing.dialect.keepsFirstDefaultRoute()) {
            throw new IllegalStateException("the default route is mapped already");
        }
        routing.defaultTarget = target;
    }

    private static AsyncDeeplinkTarget synchronous(DeeplinkTarget target) {
        return (deeplink, done) -> {
            target.open(deeplink);
            done.run();
        };
    }

    /** Whether the route is mapped, ignoring redundant slashes. */
    public boolean isMapped(@NonNull String route) {
        return routing.routes.contains(new RouteFormat(route));
    }

    /** The formats in order of priority, without the default route. */
    @NonNull
    public List<String> getMappedRoutes() {
        return routing.routes.formats();
    }

    @NonNull
    public DeeplinkRegistration addFilter(@NonNull DeeplinkFilter filter) {
        return addFilter((deeplink, result) -> result.onResult(filter.filter(deeplink)));
    }

    /** @see #addFilter(DeeplinkFilter) */
    @NonNull
    public DeeplinkRegistration addFilter(@NonNull AsyncDeeplinkFilter filter) {
        DeeplinkRegistration registration = new DeeplinkRegistration(filter);
        openings.filters.add(registration);
        return registration;
    }

    @NonNull
    public DeeplinkRegistration addHandler(@NonNull DeeplinkHandler handler) {
        DeeplinkRegistration registration = new DeeplinkRegistration(handler);
        openings.handlers.add(registration);
        return registration;
    }

    /** Removes a filter or a handler. A link that is being opened is still passed to it. */
    public void remove(@NonNull DeeplinkRegistration registration) {
        openings.filters.remove(registration);
        openings.handlers.remove(registration);
    }

    // Opening

    /** The most recently opened link, whether or not filters let it pass; null before the first one. */
    @Nullable
    public Deeplink getCurrentDeeplink() {
        return openings.current();
    }

    /** The app's own URL schemes. */
    @NonNull
    public List<String> getSchemes() {
        return schemes;
    }

    /** The hosts of the app's smart links; none without a client. */
    @NonNull
    public Set<String> getDomains() {
        return service == null ? Collections.<String>emptySet() : service.getDomains();
    }

    /** Whether a default route is mapped. */
    public boolean hasDefaultRoute() {
        return routing.defaultTarget != null;
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
        String sourceApplication = referrer == null ? null : referrer.toString();
        boolean isNew = savedInstanceState != null && !openings.hasLink();
        String kept = isNew ? savedInstanceState.getString(KEPT) : null;
        if (kept != null && openings.links.isReadable()) return openings.reopen(kept, sourceApplication);
        String saved = isNew && kept == null ? savedInstanceState.getString(STATE) : kept;
        String url = saved != null ? saved : intents.url(intent, savedInstanceState, schemes);
        return url != null && open(url, sourceApplication, LinkOpenings.IGNORE);
    }

    /**
     * Keeps a link that waits for the service, in case the process ends. Call it in {@code onSaveInstanceState}; {@link
     * #open(Intent, Bundle)} opens the link then, with what the service has answered meanwhile, unless its target has run
     * or it has failed. It writes a file.
     */
    public void save(@NonNull Bundle outState) {
        KeptLink link = openings.waitingLink();
        if (link != null) outState.putString(openings.links.store(link) ? KEPT : STATE, link.url);
    }

    /** Opens any URL; see {@link #open(String, OnResult)}. */
    public boolean open(@NonNull String url) {
        return open(url, null, LinkOpenings.IGNORE);
    }

    /**
     * Opens any URL that an app can be opened with.
     *
     * <p>A web link of the app's domains is a smart link: it is resolved, and its destination opens with its metadata; if
     * that fails or takes longer than the time limit, the default route opens with the URL and the error. A web link of
     * another host opens as the app's URL with the same path and query. Another URL of the app opens as it is; if it
     * announces metadata, that is fetched first. A URL of another scheme, or over 16,384 bytes, is not handled: nothing
     * happens.
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
        if (!isHandled(url, onResult)) return false;
        DeeplinkBuilder source = openings.source(url);
        source.sourceApplication = sourceApplication;
        return openings.openUrl(source, LinkOpenings.Origin.OPENED, onResult);
    }

    private boolean isHandled(String url, OnResult<OpenResult> onResult) {
        if (routing.handles(url)) return true;
        openings.report("notHandled", null, null, null);
        onResult.onResult(OpenResult.notHandled());
        return false;
    }

    /**
     * Opens a smart link inside the app, such as a scanned code. If it can't be resolved, nothing opens.
     *
     * @param onResult receives the outcome
     */
    public void openSmartlink(@NonNull String smartlink, @NonNull OnResult<OpenResult> onResult) {
        if (!isHandled(smartlink, onResult)) return;
        openings.resolve(openings.source(smartlink), LinkOpenings.Origin.SMARTLINK, onResult);
    }

    /**
     * Opens a link that was made by the app or held back before. A route with exactly its format must be mapped; only a
     * link from a URL that matched no route opens the default route.
     *
     * @return whether it was opened
     */
    public boolean open(@NonNull Deeplink deeplink) {
        return openings.open(deeplink, LinkOpenings.IGNORE);
    }

    /** Opens the current link again; see {@link #openCurrentDeeplink(OnNullableResult)}. */
    public boolean openCurrentDeeplink() {
        return openCurrentDeeplink(result -> {});
    }

    /**
     * Opens the current link again, for example after the sign-in that a filter asked for. If none was opened since the app
     * was started, or if the service has refused it for good or no route matches it, it is the last one that was not seen
     * before, with what the service has answered then, or that of the installation. One that could not be resolved is resolved now, and metadata that failed are asked for.
     *
     * @param onResult receives the outcome; null if there is no link, or while a newer one waits for the service
     * @return whether the link was opened, or would be by a response of the service
     */
    public boolean openCurrentDeeplink(@NonNull OnNullableResult<OpenResult> onResult) {
        return openings.openCurrent(onResult::onResult);
    }

    /**
     * Resolves the current link, or its metadata, again if the network was missing. Nothing opens: {@link #openCurrentDeeplink()} does, with
     * what the service has answered. {@code ActivityLinks} calls it when the device has a network again.
     */
    public void networkIsBack() {
        openings.networkIsBack();
    }

    /** Whether {@code open} would find a route, including the default route. A smart link can always be opened. */
    public boolean canOpen(@NonNull String url) {
        if (!routing.handles(url)) return false;
        DeepLinkUrl destination = routing.destinations.of(new DeepLinkUrl(url));
        return destination == null || routing.byUrl(destination, new DeeplinkBuilder(), null).target != null;
    }

    // Deferred

    /**
     * Claims the deferred deep link of this installation and opens it; or opens the one that an earlier start has claimed
     * and the person has not seen. A link that the app was started with takes precedence: call this after {@link
     * #open(Intent, Bundle)}.
     *
     * @param referrer such as {@code new PlayInstallReferrer(context)}; null without a store
     * @param clipboard the clipboard's text, read with the person's consent; may be null
     * @param onResult receives the outcome; null if there is no deferred deep link
     */
    public void openDeferred(@Nullable InstallReferrer referrer, @Nullable String clipboard,
            @NonNull OnNullableResult<OpenResult> onResult) {
        if (service == null) {
            onResult.onResult(null);
            return;
        }
        new DeferredOpening(service, openings, onResult).start(referrer, clipboard);
    }

    // Explaining

    /** What {@link #open} would do with the URL, and why. It asks nothing: a smart link ends with {@code RESOLVES}. */
    @NonNull
    public LinkExplanation explain(@NonNull String url) {
        return explainer.explain(url);
    }

    /**
     * Like {@link #explain(String)}, and asks the service where a link has to be resolved, without taking a redeem and in
     * one attempt. Nothing is recorded or kept.
     */
    public void explain(@NonNull String url, @NonNull OnResult<LinkExplanation> onResult) {
        explainer.explain(url, onResult);
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
}
