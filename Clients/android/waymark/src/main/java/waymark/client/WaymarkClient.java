package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import waymark.client.internal.EventDelivery;
import waymark.client.internal.EventQueue;
import waymark.client.internal.IdempotentRequests;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;
import waymark.client.internal.LinkEvent;
import waymark.client.internal.ServiceCheck;
import waymark.client.internal.RequestSender;
import waymark.client.internal.ServiceAddress;
import waymark.client.json.Json;
import waymark.client.routing.Deeplinking;
import waymark.client.transport.DaemonThreads;
import waymark.client.transport.TransportResponse;
import waymark.client.url.PortableText;

/**
 * The app's client of the smart link service: creates and resolves smart links, claims deferred deep links and records
 * which links were opened.
 *
 * <p>An app has one client, in one process. It may be used from any thread. Each call has two forms: with callbacks,
 * which never blocks; and without, which blocks until the response is there and is for threads of the app's own.
 *
 * <p>Requests that create a link or take a redeem have an idempotency key that is stored before the request is sent. If
 * the response is lost, the same call, also after the app was killed, takes no second redeem and creates no second link.
 */
public final class WaymarkClient implements SmartlinkService {
    /** The version of the client, which is that of the service it was released with. */
    @NonNull
    public static final String VERSION = "0.3.0";

    private final ClientSettings settings;
    private final ServiceAddress address;
    private final Set<String> domains;
    private final RequestSender sender;
    private final IdempotentRequests requests;
    private final KeptLinks links;
    private final EventQueue events;
    private final EventDelivery delivery;
    private final InstallationClaim installation;

    /**
     * Begins a client without Android's parts, for tests on a JVM; apps use {@code AndroidClient.builder}.
     *
     * @param service the service's URL, such as {@code https://go.example.com}
     * @param key an API key with the scopes for apps only ({@code resolve}, {@code create})
     */
    @NonNull
    public static ClientSettings builder(@NonNull String service, @NonNull String key) {
        return new ClientSettings(service, key);
    }

    WaymarkClient(ClientSettings settings) throws WaymarkException {
        if (settings.key.isEmpty() || !PortableText.isVisibleAscii(settings.key)) {
            throw WaymarkException.of(
                    WaymarkException.Kind.INVALID_KEY, "the key is empty or has characters that no key has");
        }
        this.settings = settings;
        address = new ServiceAddress(settings.service, settings.allowsPlainLoopback);
        Set<String> hosts = new LinkedHashSet<>();
        for (String domain : settings.domains) {
            if (domain.indexOf('/') >= 0) throw new IllegalArgumentException(domain + " is not a host");
            hosts.add(PortableText.lowercase(domain));
        }
        if (hosts.isEmpty()) hosts.add(address.host);
        domains = Collections.unmodifiableSet(hosts);
        sender = new RequestSender(address, settings.key, settings.userAgent(), settings.onDiagnostic,
                settings.transport, settings.clock, settings.randomness, settings.retry, settings.timeLimit,
                settings.answerLimit);
        requests = new IdempotentRequests(sender, settings.storage);
        links = new KeptLinks(settings.storage, settings.clock);
        events = new EventQueue(settings.storage, settings.eventLimit, settings.eventAge);
        delivery = new EventDelivery(events, sender);
        installation = new InstallationClaim(settings, domains, requests, sender.random, links, this::recordInstall);
        // Reading the queue touches the disk, which the main thread must not wait for.
        if (settings.sendsEvents) settings.executor.execute(this::deliverWaiting);
    }

    private void deliverWaiting() {
        if (!events.isEmpty()) delivery.deliver();
    }

    // Smart links

    @Override
    @NonNull
    public Set<String> getDomains() {
        return domains;
    }

    /**
     * Resolves a smart link to its destination and metadata, which takes a redeem if the link has a limit. Equal calls
     * at the same time count as one. Blocks.
     *
     * @param smartlink the smart link as it was opened, with its query
     */
    @NonNull
    public ResolvedLink resolve(@NonNull String smartlink) throws WaymarkException {
        return resolve("smartlink", smartlink, true);
    }

    /** @param redeem false to get everything but the metadata, without taking a redeem. Blocks. */
    @NonNull
    public ResolvedLink resolve(@NonNull String smartlink, boolean redeem) throws WaymarkException {
        return resolve("smartlink", smartlink, redeem);
    }

    /** Resolves the click that the app was opened with ({@code _hk_cid}). Blocks. */
    @NonNull
    public ResolvedLink resolveClick(@NonNull String clickId) throws WaymarkException {
        return resolve("clickID", clickId, true);
    }

    @Override
    @NonNull
    public Cancellable resolve(@NonNull String smartlink, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure) {
        return run(() -> resolve(smartlink), onSuccess, onFailure);
    }

    @Override
    @NonNull
    public Cancellable resolveClick(@NonNull String clickId, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure) {
        return run(() -> resolveClick(clickId), onSuccess, onFailure);
    }

    private ResolvedLink resolve(String subject, String value, boolean redeem) throws WaymarkException {
        return requests.post(
                "/api/v1/resolve", resolveBody(subject, value, redeem), true, ResolvedLink::read);
    }

    /** For {@code Deeplinking}. */
    @Override
    @NonNull
    public Cancellable resolve(@NonNull KeptLink link, @Nullable String smartlink, @Nullable String clickId,
            @NonNull OnResult<ResolvedLink> onSuccess, @NonNull OnFailure onFailure) {
        String subject = smartlink == null ? "clickID" : "smartlink";
        byte[] body = resolveBody(subject, smartlink == null ? clickId : smartlink, true);
        return run(() -> requests.post("/api/v1/resolve", body, true, answer -> {
            if (ResolvedLink.read(answer) == null) return null;
            // Before the idempotency key is removed: whenever the process ends, the one or the other has the redeem.
            return ResolvedLink.read(links.answered(link, answer));
        }), onSuccess, onFailure);
    }

    /** For {@code Deeplinking}. */
    @Override
    @NonNull
    public Cancellable resolveOnce(@NonNull String smartlink, @NonNull OnResult<ResolvedLink> onSuccess,
            @NonNull OnFailure onFailure) {
        byte[] body = resolveBody("smartlink", smartlink, false);
        return run(() -> {
            TransportResponse answer = sender.sendOnce("POST", "/api/v1/resolve", body);
            ResolvedLink resolved = ResolvedLink.read(answer.getBody());
            if (resolved == null) throw WaymarkException.unexpected(answer.getStatus(), -1);
            return resolved;
        }, onSuccess, onFailure);
    }

    /** For {@code Deeplinking}. */
    @Override
    @NonNull
    public KeptLinks getKeptLinks() {
        return links;
    }

    /** For {@code Deeplinking}. */
    @Override
    @NonNull
    public Cancellable schedule(long milliseconds, @NonNull Runnable action) {
        Future<?> timer = DaemonThreads.schedule(milliseconds, () -> settings.callbackExecutor.execute(action));
        return () -> timer.cancel(false);
    }

    @Override
    public long elapsed() {
        return settings.clock.elapsed();
    }

    private byte[] resolveBody(String subject, String value, boolean redeem) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put(subject, value);
        body.put("platform", settings.platform);
        if (!redeem) body.put("redeem", false);
        if (settings.appVersion != null) body.put("appVersion", settings.appVersion);
        return Json.bytes(body);
    }

    /**
     * Creates a smart link and returns its URL. Equal calls create one link each, unless the link is unique. Blocks.
     */
    @NonNull
    public String createSmartlink(@NonNull LinkRequest link) throws WaymarkException {
        return create(link.body(settings.app));
    }

    private String create(byte[] body) throws WaymarkException {
        return requests.post("/api/v1/links", body, false, answer -> {
            Json json = Json.readObject(answer);
            return json == null ? null : Json.asString(json.getMembers().get("smartlink"));
        });
    }

    @Override
    @NonNull
    public Cancellable createSmartlink(@NonNull LinkRequest link, @NonNull OnResult<String> onSuccess,
            @NonNull OnFailure onFailure) {
        // The app may go on to change the request.
        byte[] body = link.body(settings.app);
        return run(() -> create(body), onSuccess, onFailure);
    }

    // Deferred deep links

    /**
     * Claims the deferred deep link of this installation. Call it once, at the first launch. Records the installation.
     *
     * <p>Only a referrer with a click ID of the service, and a clipboard text that is a smart link of the app with a
     * click ID, are sent. Without either it returns null without a request, and a later call may have one. The
     * service's response is final for this installation. While one call is under way, others return null. Blocks.
     *
     * @param referrer Play's install referrer, unmodified; may be null
     * @param clipboard the clipboard's text, read with the person's consent; may be null
     * @return null if there is none
     */
    @Nullable
    public DeferredDeeplink claimDeferred(@Nullable String referrer, @Nullable String clipboard)
            throws WaymarkException {
        return installation.claim(referrer, clipboard);
    }

    /**
     * Reads the install referrer and claims. The store is asked until the claim is over or it has answered that no
     * click led to the installation.
     *
     * @param referrer null without a store
     * @param onSuccess receives null if there is none
     */
    @Override
    @NonNull
    public Cancellable claimDeferred(@Nullable InstallReferrer referrer, @Nullable String clipboard,
            @NonNull OnNullableResult<DeferredDeeplink> onSuccess, @NonNull OnFailure onFailure) {
        installation.checkApp();
        return runNullable(() -> installation.claim(referrer, clipboard), onSuccess, onFailure);
    }

    /** Whether the service has responded to the claim of this installation, or the app has ended it. */
    public boolean isClaimed() {
        return installation.isClaimed();
    }

    /**
     * The link that led to this installation, at any time after it was claimed; null if there is none. It has its metadata
     * until {@code Deeplinking} has opened it, for 30 days at most.
     */
    @Nullable
    public DeferredDeeplink getInstallationDeeplink() {
        return installation.deeplink();
    }

    /** Ends the claim without a request, because the app was started with a link. */
    @Override
    public void endClaim() {
        installation.endClaim();
    }

    // Events

    /** Records that the app was opened through a click ({@code _hk_cid}). The event is stored when the call returns. */
    public void recordOpen(@NonNull String clickId) {
        recordOpen(clickId, null);
    }

    /**
     * Records that a click or a smart link was opened. Does nothing if both are null or empty, and with a click over
     * 1,024 or a smart link over 4,096 bytes: any app can open a link, and the stored events must stay small.
     */
    @Override
    public void recordOpen(@Nullable String clickId, @Nullable String smartlink) {
        String click = clickId == null || clickId.isEmpty() ? null : clickId;
        String link = smartlink == null || smartlink.isEmpty() ? null : smartlink;
        boolean isShort = InstallationClaim.isAtMost(click, 1_024) && InstallationClaim.isAtMost(link, 4_096);
        if (isShort && (click != null || link != null)) record(LinkEvent.OPEN, sender.random.identifier(), click, link);
    }

    /**
     * Records the installation, once, and once more with the click if only a later call has one. {@code claimDeferred}
     * does it too.
     */
    @Override
    public void recordInstallation(@Nullable String clickId) {
        installation.record(clickId);
    }

    /** Sends the waiting events now. Blocks. If it throws, the events that were not confirmed are still waiting. */
    public void flush() throws WaymarkException {
        delivery.flush();
    }

    /** @param onSuccess receives the counts when all events are sent */
    @NonNull
    public Cancellable flush(@NonNull OnResult<EventCounts> onSuccess, @NonNull OnFailure onFailure) {
        return run(() -> {
            flush();
            return getEventCounts();
        }, onSuccess, onFailure);
    }

    @NonNull
    public EventCounts getEventCounts() {
        return events.counts();
    }

    private void recordInstall(String id, String clickId) {
        record(LinkEvent.INSTALL, id, clickId, null);
    }

    private void record(String type, String id, String clickId, String smartlink) {
        long now = sender.now();
        events.append(new LinkEvent(id, type, clickId, smartlink, settings.platform, now), now);
        if (settings.sendsEvents) delivery.deliver();
    }

    /**
     * Reports something that a person did because of a link, such as a purchase. It is sent at once and not queued: if
     * this throws, call it again with the same ID, which the service counts once within 90 days. Blocks.
     *
     * @param id 1 to 255 bytes, for example the number of an order
     * @param name 1 to 100 bytes, such as {@code purchase}
     * @param clickId the click; null for the one that led to this installation
     * @param amount an exact decimal such as {@code 12.50}; null without a value
     * @param currency ISO 4217; null without a value
     * @return true the first time that a conversion of a link is reported with this ID
     * @throws IllegalArgumentException if there is an amount without a currency, or the reverse
     */
    public boolean reportConversion(@NonNull String id, @NonNull String name, @Nullable String clickId,
            @Nullable String amount, @Nullable String currency) throws WaymarkException {
        checkValue(amount, currency);
        Map<String, Object> conversion = new LinkedHashMap<>();
        conversion.put("id", id);
        conversion.put("name", name);
        if (clickId != null) {
            conversion.put("clickID", clickId);
        } else {
            conversion.put("installID", installation.id());
        }
        conversion.put("at", LinkEvent.time(sender.now()));
        if (amount != null) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("amount", amount);
            value.put("currency", currency);
            conversion.put("value", value);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("conversions", Collections.singletonList(conversion));
        TransportResponse answer = sender.post("/api/v1/conversions", Json.bytes(body), null);
        Json json = Json.readObject(answer.getBody());
        Object counted = json == null ? null : json.getMembers().get("counted");
        if (!(counted instanceof Long)) throw WaymarkException.unexpected(answer.getStatus(), -1);
        return (Long) counted > 0;
    }

    private static void checkValue(String amount, String currency) {
        if ((amount == null) != (currency == null)) {
            throw new IllegalArgumentException("a value has an amount and a currency");
        }
    }

    /** See the blocking form. */
    @NonNull
    public Cancellable reportConversion(@NonNull String id, @NonNull String name, @Nullable String clickId,
            @Nullable String amount, @Nullable String currency, @NonNull OnResult<Boolean> onSuccess,
            @NonNull OnFailure onFailure) {
        checkValue(amount, currency);
        return run(() -> reportConversion(id, name, clickId, amount, currency), onSuccess, onFailure);
    }

    /**
     * Makes another call of the service's API, with the key and the retries, but without an idempotency key. Blocks.
     *
     * @param path such as {@code /v1/shortLinks}
     * @param body JSON values, see {@link DeeplinkMetadata#of}
     * @return the members of the response
     */
    @NonNull
    public Map<String, Object> call(@NonNull String path, @NonNull Map<String, ?> body) throws WaymarkException {
        TransportResponse answer = sender.post(path, Json.bytes(body), null);
        Json json = Json.readObject(answer.getBody());
        if (json == null) throw WaymarkException.unexpected(answer.getStatus(), -1);
        return json.getMembers();
    }

    /** See the blocking form. */
    @NonNull
    public Cancellable call(@NonNull String path, @NonNull Map<String, ?> body,
            @NonNull OnResult<Map<String, Object>> onSuccess, @NonNull OnFailure onFailure) {
        return run(() -> call(path, body), onSuccess, onFailure);
    }

    /**
     * Compares the app with the service, for debug builds: service, key, clock, application, domains, scheme and routes.
     * Prints one line for each to standard output, as {@code waymark doctor} does, and changes nothing. Blocks.
     *
     * @param router the app's router
     * @return all lines; those with the state {@code finding} name what to do
     */
    @NonNull
    public List<LinkFinding> check(@NonNull Deeplinking router) {
        List<LinkFinding> findings = new ServiceCheck(
                sender, settings.app, settings.platform, resolveBody("smartlink", address.base + "/waymark-check", false))
                .run(router.getDomains(), router.getSchemes(),
                        router.hasDefaultRoute() || !router.getMappedRoutes().isEmpty());
        for (LinkFinding finding : findings) System.out.println(finding);
        return findings;
    }

    /** The service's URL, without the key. */
    @Override
    @NonNull
    public String toString() {
        return "WaymarkClient(" + address.base + ")";
    }

    private <T> Cancellable run(Callable<T> call, OnResult<T> onSuccess, OnFailure onFailure) {
        return runNullable(call, onSuccess::onResult, onFailure);
    }

    private <T> Cancellable runNullable(Callable<T> call, OnNullableResult<T> onSuccess, OnFailure onFailure) {
        PendingCall<T> pending = new PendingCall<>(call, settings.callbackExecutor, onSuccess, onFailure);
        settings.executor.execute(pending);
        return pending;
    }
}
