package waymark.client.routing;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import waymark.client.Cancellable;
import waymark.client.DeferredDeeplink;
import waymark.client.InstallReferrer;
import waymark.client.OnFailure;
import waymark.client.OnNullableResult;
import waymark.client.OnResult;
import waymark.client.LinkDiagnostic;
import waymark.client.ResolvedLink;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.android.IntentLinks;
import waymark.client.android.MainThreadExecutor;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;
import waymark.client.internal.SystemClockAndRandomness;
import waymark.client.storage.MemoryStorage;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PortableText;

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
    private static final String STATE = "waymark.client.link";
    private static final OnResult<OpenResult> IGNORE = result -> {};
    /** In bytes of UTF-8. Links are shorter; longer texts are attempts to waste time. */
    private static final int LENGTH_LIMIT = 16_384;

    /** How a link came, which decides what happens if it can't be resolved. */
    private enum Origin {
        /** The app was opened with it: the default route opens. */
        OPENED,
        /** The app opens a smart link itself: nothing opens. */
        SMARTLINK,
        /** It is opened again: nothing opens a second time. */
        AGAIN,
        /** It is resolved again by itself: nothing opens, whatever the answer. */
        QUIET
    }

    /** A link that waits for the service. */
    private final class Waiting {
        final int turn;
        final DeeplinkBuilder source;
        final Origin origin;
        final OnResult<OpenResult> onResult;
        final long since = service == null ? 0 : service.now();
        /** Whether its time has passed, so that its answer opens nothing. */
        boolean isLate;
        private boolean isDone;
        private Cancellable timer;

        Waiting(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
            this.source = source;
            this.origin = origin;
            this.onResult = onResult;
            isLate = origin == Origin.QUIET;
            waitingUrl = source.originalUrl;
            waitingTurn = next();
            turn = waitingTurn;
        }

        boolean isLast() {
            return turn == lastTurn;
        }

        /** The request goes on, and its answer is kept. */
        void setLate() {
            isLate = true;
            if (waitingTurn == turn) waitingTurn = -1;
        }

        void limit(Runnable late) {
            if (!isLate) timer = service.schedule(openingTimeLimit, () -> {
                if (isLast() && !isDone && !isLate) late.run();
            });
        }

        /** Where calls do not block, the response may be there already. */
        void request(Cancellable call) {
            if (!isDone && isLast()) waiting = call;
        }

        /** The response is there. The clock counts, too: a process that sleeps runs no timer. */
        void end(Runnable late) {
            if (timer != null) timer.cancel();
            if (isLast() && !isLate && service != null && service.now() - since > openingTimeLimit) late.run();
            isDone = true;
            if (waitingTurn == turn) waitingTurn = -1;
            if (isLast()) waiting = null;
        }
    }

    private final SmartlinkService service;
    private final KeptLinks links;
    private final LinkRouting routing;
    private final List<String> schemes;
    private final IntentLinks intents = new IntentLinks();
    /** Copied on change: a link that is being opened uses those that were there when it arrived. */
    private final List<DeeplinkRegistration> filters = new CopyOnWriteArrayList<>();
    private final List<DeeplinkRegistration> handlers = new CopyOnWriteArrayList<>();
    private OnResult<LinkDiagnostic> onDiagnostic = diagnostic -> {};
    private long openingTimeLimit = 5_000;
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
        links = service == null
                ? new KeptLinks(new MemoryStorage(), new SystemClockAndRandomness()) : service.getKeptLinks();
        routing = new LinkRouting(new LinkDestinations(
                service == null ? Collections.<String>emptySet() : service.getDomains(), this.schemes), dialect);
    }

    /**
     * How long a link waits for the service before the default route opens, in milliseconds. Default: 5,000. An answer
     * that comes later opens only by {@link #openCurrentDeeplink()}.
     */
    public void setOpeningTimeLimit(long milliseconds) {
        openingTimeLimit = Math.max(1, milliseconds);
    }

    /** @param onDiagnostic receives each step, without values and keys, such as {@code step -> Log.d("links", "" + step)} */
    public void setOnDiagnostic(@NonNull OnResult<LinkDiagnostic> onDiagnostic) {
        this.onDiagnostic = onDiagnostic;
    }

    private void report(String step, String host, String route, WaymarkException error) {
        onDiagnostic.onResult(new LinkDiagnostic(
                step, host, route, error == null ? 0 : error.getStatus(), error == null ? null : error.getKind()));
    }

    private void report(String step, Deeplink deeplink) {
        report(step, null, deeplink.getRoute(), null);
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
        boolean isNew = savedInstanceState != null && !hasLink();
        String saved = isNew ? savedInstanceState.getString(STATE) : null;
        String url = saved != null ? saved : intents.url(intent, savedInstanceState, schemes);
        return url != null && open(url, referrer == null ? null : referrer.toString(), IGNORE);
    }

    /**
     * Keeps a link that waits for the service, in case the process ends. Call it in {@code onSaveInstanceState}; {@link
     * #open(Intent, Bundle)} opens the link then. A link that a filter holds back is in the client's storage instead.
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
        DeeplinkBuilder source = source(url);
        source.sourceApplication = sourceApplication;
        return openUrl(source, Origin.OPENED, onResult);
    }

    private DeeplinkBuilder source(String url) {
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.originalUrl = url;
        source.kept = links.made(url);
        return source;
    }

    private static boolean isTooLong(String url) {
        return url.length() > LENGTH_LIMIT
                || url.length() > LENGTH_LIMIT / 3 && url.getBytes(StandardCharsets.UTF_8).length > LENGTH_LIMIT;
    }

    private boolean isHandled(String url, OnResult<OpenResult> onResult) {
        if (!isTooLong(url) && !routing.destinations.isForeign(new DeepLinkUrl(url))) return true;
        report("notHandled", null, null, null);
        onResult.onResult(OpenResult.notHandled());
        return false;
    }

    private boolean openUrl(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
        DeepLinkUrl destination = routing.destinations.of(new DeepLinkUrl(source.originalUrl));
        if (destination == null) {
            resolve(source, origin, onResult);
            return true;
        }
        RoutedDeeplink routed = routing.byUrl(destination, source, null);
        boolean waits = routed.deeplink.needsMetadata() && service != null && routed.deeplink.getClickId() != null
                && (routed.target != null || routing.dialect.keepsUnroutedDeeplink());
        if (!waits) return perform(routed, next(), onResult);
        awaitMetadata(routed, source, origin, onResult);
        return routed.target != null;
    }

    /** Opens a link with what the resolve of its click answers, or without it if that fails or takes too long. */
    private void awaitMetadata(RoutedDeeplink routed, DeeplinkBuilder source, Origin origin,
            OnResult<OpenResult> onResult) {
        Waiting link = new Waiting(source, origin, onResult);
        Runnable late = () -> {
            link.setLate();
            report("late", routed.deeplink);
            perform(routed, link.turn, onResult);
        };
        links.begin(source.kept);
        report("resolving", null, null, null);
        link.limit(late);
        link.request(service.resolve(source.kept, null, routed.deeplink.getClickId(), answer -> {
            link.end(late);
            report("resolved", routed.deeplink);
            DeeplinkBuilder content = routed.deeplink.content.copy();
            content.setAnswer(answer);
            end(link, new RoutedDeeplink(new Deeplink(content), routed.target));
        }, error -> {
            link.end(late);
            if (link.isLast()) report("resolveFailed", null, null, error);
            if (!link.isLate) end(link, routed);
        }));
    }

    /** The link is complete: it opens, unless another one was opened since or its time has passed. */
    private void end(Waiting link, RoutedDeeplink routed) {
        if (!link.isLast()) {
            report("superseded", routed.deeplink);
            if (!link.isLate) link.onResult.onResult(OpenResult.notOpened(routed.deeplink));
        } else if (link.isLate) {
            currentDeeplink = routed.deeplink;
            report("kept", routed.deeplink);
        } else {
            perform(routed, link.turn, link.onResult);
        }
    }

    /**
     * Opens a smart link inside the app, such as a scanned code. If it can't be resolved, nothing opens.
     *
     * @param onResult receives the outcome
     */
    public void openSmartlink(@NonNull String smartlink, @NonNull OnResult<OpenResult> onResult) {
        if (isHandled(smartlink, onResult)) resolve(source(smartlink), Origin.SMARTLINK, onResult);
    }

    private void resolve(DeeplinkBuilder source, Origin origin, OnResult<OpenResult> onResult) {
        Waiting link = new Waiting(source, origin, onResult);
        String host = new DeepLinkUrl(source.originalUrl).getHost();
        Runnable late = () -> {
            link.setLate();
            report("late", host, null, null);
            fail(link, WaymarkException.of(WaymarkException.Kind.TIMED_OUT, "the service did not answer in time"));
        };
        links.begin(source.kept);
        OnFailure onFailure = error -> {
            link.end(late);
            if (!link.isLast()) {
                if (!link.isLate) onResult.onResult(OpenResult.failed(error, null));
                return;
            }
            report("resolveFailed", host, null, error);
            boolean triesRoute = origin == Origin.OPENED || origin == Origin.AGAIN;
            RoutedDeeplink unknown = triesRoute && !link.isLate && isUnknown(error)
                    && routing.destinations.isSmartlinkHost(new DeepLinkUrl(source.originalUrl))
                    ? routing.unknown(source) : null;
            if (unknown != null) {
                report("unknownAsRoute", host, unknown.deeplink.getRoute(), null);
                perform(unknown, link.turn, onResult);
            } else {
                fail(link, error);
            }
        };
        if (service == null) {
            onFailure.onFailure(WaymarkException.of(
                    WaymarkException.Kind.UNREACHABLE, "the router was made without a client"));
            return;
        }
        report("resolving", host, null, null);
        link.limit(late);
        link.request(service.resolve(source.kept, source.originalUrl, null, answer -> {
            link.end(late);
            report("resolved", host, answer.getRoute(), null);
            DeeplinkBuilder resolved = source.copy();
            resolved.smartlink = source.originalUrl;
            end(link, routing.byAnswer(answer, resolved));
        }, onFailure));
    }

    private static boolean isUnknown(WaymarkException error) {
        return error.getProblem() != null && error.getProblem().getName().equals("link-unknown");
    }

    /** The link stays the current one with its error, and is kept if it may be resolved later. */
    private void fail(Waiting link, WaymarkException error) {
        RoutedDeeplink failed = routing.failed(link.source, error);
        KeptLink kept = link.source.kept;
        currentDeeplink = failed.deeplink;
        links.replace(kept);
        links.failed(kept, error.getKind().getCode());
        if (!error.isTransient()) {
            links.drop(kept);
        } else if (links.keep(kept)) {
            report("kept", failed.deeplink);
        }
        // What came late was answered with the time limit's failure.
        if (link.isLate && link.isDone) return;
        if (link.origin == Origin.OPENED && failed.target != null) perform(failed, link.turn, IGNORE);
        link.onResult.onResult(OpenResult.failed(error, failed.deeplink));
    }

    /**
     * Opens a link that was made by the app or held back before. A route with exactly its format must be mapped; only a
     * link from a URL that matched no route opens the default route.
     *
     * @return whether it was opened
     */
    public boolean open(@NonNull Deeplink deeplink) {
        return open(deeplink, IGNORE);
    }

    private boolean open(Deeplink deeplink, OnResult<OpenResult> onResult) {
        AsyncDeeplinkTarget target = deeplink.getRoute() != null ? routing.routes.target(deeplink.getRoute())
                : deeplink.getOpenedUrl() != null ? routing.defaultTarget : null;
        if (target != null) return perform(new RoutedDeeplink(deeplink, target), next(), onResult);
        onResult.onResult(OpenResult.notOpened(deeplink));
        return false;
    }

    /** Opens the current link again; see {@link #openCurrentDeeplink(OnNullableResult)}. */
    public boolean openCurrentDeeplink() {
        return openCurrentDeeplink(result -> {});
    }

    /**
     * Opens the current link again, for example after the sign-in that a filter asked for. If none was opened since the app
     * was started, it is the last one that was not seen before, with what the service has answered then, or that of the
     * installation. One that could not be resolved is resolved now.
     *
     * @param onResult receives the outcome; null if there is no link
     * @return whether the link was opened, or would be by a response of the service
     */
    public boolean openCurrentDeeplink(@NonNull OnNullableResult<OpenResult> onResult) {
        Deeplink current = currentDeeplink;
        if (current != null) {
            if (current.getError() == null) return open(current, onResult::onResult);
            return openUrl(again(current), Origin.AGAIN, onResult::onResult);
        }
        KeptLink kept = links.current();
        if (kept == null) kept = links.unseenInstallation();
        if (kept != null) return restore(kept, onResult::onResult);
        onResult.onResult(null);
        return false;
    }

    private DeeplinkBuilder again(Deeplink deeplink) {
        DeeplinkBuilder source = source(deeplink.getOriginalUrl());
        source.sourceApplication = deeplink.getSourceApplication();
        if (deeplink.content.kept != null) source.kept = deeplink.content.kept;
        return source;
    }

    /** Opens a kept link with its answer; without one as its URL would be. */
    private boolean restore(KeptLink kept, OnResult<OpenResult> onResult) {
        byte[] body = kept.answer();
        ResolvedLink answer = body == null ? null : ResolvedLink.read(body);
        DeeplinkBuilder source = new DeeplinkBuilder();
        source.kept = kept;
        source.originalUrl = kept.url;
        RoutedDeeplink routed;
        if (kept.url == null) {
            source.isDeferred = true;
            source.clickId = kept.clickId();
            if (answer == null) {
                // Nothing that this version understands.
                links.opened(kept);
                onResult.onResult(null);
                return false;
            }
            routed = routing.byAnswer(answer, source);
        } else if (answer == null) {
            report("restored", null, null, null);
            return openUrl(source, Origin.AGAIN, onResult);
        } else {
            DeepLinkUrl destination = routing.destinations.of(new DeepLinkUrl(kept.url));
            if (destination == null) source.smartlink = kept.url;
            routed = destination == null
                    ? routing.byAnswer(answer, source) : routing.byUrl(destination, source, answer);
        }
        report("restored", routed.deeplink);
        return perform(routed, next(), onResult);
    }

    /**
     * Resolves the current link again if the network was missing. Nothing opens: {@link #openCurrentDeeplink()} does, with
     * what the service has answered. {@code ActivityLinks} calls it when the device has a network again.
     */
    public void networkIsBack() {
        Deeplink current = currentDeeplink;
        boolean isWaiting = waitingTurn == lastTurn || waiting != null;
        if (current == null || current.getError() == null || !current.getError().isTransient() || isWaiting) return;
        if (routing.destinations.of(new DeepLinkUrl(current.getOriginalUrl())) != null) return;
        resolve(again(current), Origin.QUIET, IGNORE);
    }

    /** Whether {@code open} would find a route, including the default route. A smart link can always be opened. */
    public boolean canOpen(@NonNull String url) {
        if (isTooLong(url) || routing.destinations.isForeign(new DeepLinkUrl(url))) return false;
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
        if (service == null || hasLink()) {
            if (service != null) {
                service.recordInstallation(null);
                service.endClaim();
            }
            onResult.onResult(null);
            return;
        }
        KeptLink kept = links.unseenInstallation();
        if (kept != null) {
            restore(kept, onResult::onResult);
            return;
        }
        report("resolving", null, null, null);
        DeferredClaimCall claim = new DeferredClaimCall(onResult);
        claim.timer = service.schedule(openingTimeLimit, claim::late);
        service.claimDeferred(referrer, clipboard, claim::answered, claim::failed);
    }

    /** A claim that waits for the service. */
    private final class DeferredClaimCall {
        final OnNullableResult<OpenResult> onResult;
        final long since = service.now();
        Cancellable timer;
        private boolean isLate;
        private boolean isDone;

        DeferredClaimCall(OnNullableResult<OpenResult> onResult) {
            this.onResult = onResult;
        }

        void late() {
            if (isLate || isDone) return;
            isLate = true;
            report("late", null, null, null);
            onResult.onResult(OpenResult.failed(
                    WaymarkException.of(WaymarkException.Kind.TIMED_OUT, "the service did not answer in time"), null));
        }

        private void end() {
            timer.cancel();
            if (service.now() - since > openingTimeLimit) late();
            isDone = true;
        }

        void failed(WaymarkException error) {
            end();
            report("resolveFailed", null, null, error);
            if (!isLate) onResult.onResult(OpenResult.failed(error, null));
        }

        void answered(DeferredDeeplink deferred) {
            end();
            if (deferred == null) {
                if (!isLate) onResult.onResult(null);
                return;
            }
            ResolvedLink answer = deferred.getLink();
            report("resolved", null, answer.getRoute(), null);
            KeptLink kept = links.unseenInstallation();
            DeeplinkBuilder source = new DeeplinkBuilder();
            source.isDeferred = true;
            source.clickId = deferred.getClickId();
            source.kept = kept == null ? links.made(null) : kept;
            RoutedDeeplink routed = routing.byAnswer(answer, source);
            if (isLate || hasLink()) {
                report("kept", routed.deeplink);
                if (!isLate) onResult.onResult(OpenResult.notOpened(routed.deeplink));
            } else {
                perform(routed, next(), onResult::onResult);
            }
        }
    }

    // Explaining

    /** What {@link #open} would do with the URL, and why. It asks nothing: a smart link ends with {@code RESOLVES}. */
    @NonNull
    public LinkExplanation explain(@NonNull String url) {
        if (isTooLong(url)) return unhandled(LinkExplanation.Why.TOO_LONG);
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

    /**
     * Like {@link #explain(String)}, and asks the service where a link has to be resolved, without taking a redeem and in
     * one attempt. Nothing is recorded or kept.
     */
    public void explain(@NonNull String url, @NonNull OnResult<LinkExplanation> onResult) {
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
            RoutedDeeplink unknown = isUnknown(error) ? routing.unknown(source) : null;
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

    /** Runs filters, handlers and the target, in this order; returns false if it is known that the link does not open. */
    private boolean perform(RoutedDeeplink routed, int turn, OnResult<OpenResult> onResult) {
        Deeplink deeplink = routed.deeplink;
        boolean isFailed = deeplink.getError() != null;
        KeptLink kept = deeplink.content.kept;
        if (routed.target == null && !routing.dialect.keepsUnroutedDeeplink()) {
            if (kept != null) links.drop(kept);
            report("unrouted", deeplink);
            onResult.onResult(OpenResult.notOpened(deeplink));
            return false;
        }
        currentDeeplink = deeplink;
        if (kept != null) links.replace(kept);
        record(deeplink, kept);
        if (routed.target == null) {
            report("unrouted", deeplink);
            onResult.onResult(OpenResult.notOpened(deeplink));
            return false;
        }
        LinkRun run = new LinkRun(routed, new ArrayList<>(filters), new ArrayList<>(handlers)) {
            @Override
            boolean isSuperseded() {
                return turn != lastTurn;
            }

            @Override
            void starting() {
                if (kept != null && !isFailed) links.starting(kept);
            }

            @Override
            void ended(String step) {
                report(step, deeplink);
                if (kept != null && !isFailed && step.equals("opened")) links.opened(kept);
                if (kept != null && !isFailed && step.equals("heldBack") && links.keep(kept)) report("kept", deeplink);
                onResult.onResult(
                        step.equals("opened") ? OpenResult.opened(deeplink) : OpenResult.notOpened(deeplink));
            }
        };
        return run.start();
    }

    /** Once per link: opening it again after a filter held it back is no second opening. */
    private void record(Deeplink deeplink, KeptLink kept) {
        boolean isRecorded = kept != null && links.isRecorded(kept);
        if (service == null || !deeplink.isFromSmartlink() || isRecorded || !deeplink.takeRecording()) return;
        service.recordOpen(deeplink.getClickId(), deeplink.getSmartlink());
        if (kept != null) links.recorded(kept);
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
}
