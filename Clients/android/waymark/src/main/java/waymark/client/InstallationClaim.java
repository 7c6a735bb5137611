package waymark.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import waymark.client.internal.DeferredClaim;
import waymark.client.internal.IdempotentRequests;
import waymark.client.internal.Installation;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;
import waymark.client.internal.StoredState;
import waymark.client.internal.Transform;
import waymark.client.json.Json;
import waymark.client.url.LinkHosts;

/** This installation of the app: its ID, its claim for a deferred deep link, and whether it is recorded. */
final class InstallationClaim {
    /** Stores the event of the installation. */
    interface Recorder {
        void record(String id, String clickId);
    }

    private final ClientSettings settings;
    private final LinkHosts hosts;
    private final IdempotentRequests requests;
    private final Randomness random;
    private final KeptLinks links;
    private final Recorder recorder;
    private final StoredState<Installation> state;
    private final AtomicBoolean isClaiming = new AtomicBoolean();

    InstallationClaim(ClientSettings settings, Set<String> domains, IdempotentRequests requests, Randomness random,
            KeptLinks links, Recorder recorder) {
        this.settings = settings;
        hosts = new LinkHosts(domains);
        this.requests = requests;
        this.random = random;
        this.links = links;
        this.recorder = recorder;
        state = new StoredState<>(settings.storage, Installation.NAME, nothing -> new Installation());
    }

    /** @see WaymarkClient#claimDeferred(String, String) */
    DeferredDeeplink claim(String referrer, String clipboard) throws WaymarkException {
        checkApp();
        // Without the stored state the claim would be that of another installation.
        if (!state.isReadable()) return null;
        DeferredClaim claim = new DeferredClaim(referrer, clipboard, hosts);
        record(claim.clickId);
        if (claim.isEmpty() || !isClaiming.compareAndSet(false, true)) return null;
        try {
            return isClaimed() ? null : send(claim);
        } finally {
            isClaiming.set(false);
        }
    }

    /** Asks the store first, unless the claim is over. */
    DeferredDeeplink claim(InstallReferrer referrer, String clipboard) throws WaymarkException {
        return isClaimed() ? null : claim(text(referrer), clipboard);
    }

    private DeferredDeeplink send(DeferredClaim claim) throws WaymarkException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("app", settings.app);
        body.put("platform", settings.platform);
        body.put("installID", id());
        if (claim.referrer != null) body.put("referrer", claim.referrer);
        if (claim.clipboard != null) body.put("clipboard", claim.clipboard);
        if (settings.appVersion != null) body.put("appVersion", settings.appVersion);
        try {
            DeferredDeeplink deferred = requests.post("/api/v1/deferred/claim", Json.bytes(body), true,
                    answer -> {
                        DeferredDeeplink read = DeferredDeeplink.read(answer, claim.clickId);
                        boolean isLink = read != null && read != DeferredDeeplink.NONE;
                        if (isLink) links.claimed(answer, read.getMatch(), claim.clickId);
                        return read;
                    });
            endClaim();
            return deferred == DeferredDeeplink.NONE ? null : deferred;
        } catch (WaymarkException error) {
            String problem = error.getProblem() == null ? "" : error.getProblem().getName();
            // Such a link stays so. Other refusals are mistakes of the app, or of an older service, and may be mended.
            if (problem.equals("link-unknown") || problem.equals("link-expired") || problem.equals("link-exhausted")
                    || problem.equals("link-disabled")) endClaim();
            throw error;
        }
    }

    private String text(InstallReferrer referrer) throws WaymarkException {
        if (referrer == null || !state.isReadable() || update(stored -> stored.isOrganic)) return null;
        String text;
        try {
            text = referrer.read();
        } catch (IOException error) {
            throw WaymarkException.of(WaymarkException.Kind.UNREACHABLE, "the store did not answer", error);
        }
        boolean isOrganic = new DeferredClaim(text, null, hosts).isEmpty();
        return update(stored -> {
            stored.isOrganic = isOrganic;
            return text;
        });
    }

    void checkApp() {
        if (settings.app == null) throw new IllegalStateException("a claim requires the setting app");
    }

    boolean isClaimed() {
        return state.update(stored -> stored.isClaimed);
    }

    void endClaim() {
        update(stored -> stored.isClaimed = true);
    }

    /** @see WaymarkClient#getInstallationDeeplink */
    DeferredDeeplink deeplink() {
        KeptLink kept = links.installation();
        ResolvedLink link = kept == null || kept.answer() == null ? null : ResolvedLink.read(kept.answer());
        return link == null ? null : new DeferredDeeplink(link, kept.match(), kept.clickId());
    }

    /** @see WaymarkClient#recordInstallation */
    void record(String clickId) {
        if (!state.isReadable() || !isAtMost(clickId, 1_024)) return;
        boolean isKnown = update(stored -> clickId == null ? stored.isRecorded : stored.isAttributed);
        if (isKnown) return;
        // The event comes first, under an ID that it keeps: if the app is killed in between, it is recorded again and
        // counted once.
        String id = clickId == null ? random.identifier() : update(stored -> stored.id);
        recorder.record(id, clickId);
        update(stored -> {
            stored.isRecorded = true;
            stored.isAttributed |= clickId != null;
            return null;
        });
    }

    String id() {
        return update(stored -> stored.id);
    }

    /** In bytes of UTF-8; null is short. */
    static boolean isAtMost(String text, int limit) {
        return text == null || text.length() <= limit && text.getBytes(StandardCharsets.UTF_8).length <= limit;
    }

    /** The installation gets its ID when its state is first stored. */
    private <R> R update(Transform<Installation, R> change) {
        String fresh = random.identifier();
        return state.update(stored -> {
            if (stored.id == null) stored.id = fresh;
            return change.apply(stored);
        });
    }
}
