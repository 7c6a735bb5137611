package waymark.tests;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import waymark.cases.ScriptedNetwork;
import waymark.client.Cancellable;
import waymark.client.DeferredDeeplink;
import waymark.client.InstallReferrer;
import waymark.client.LinkRequest;
import waymark.client.OnFailure;
import waymark.client.OnNullableResult;
import waymark.client.OnResult;
import waymark.client.ResolvedLink;
import waymark.client.SmartlinkService;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.internal.KeptLink;
import waymark.client.internal.KeptLinks;
import waymark.client.storage.ClientStorage;
import waymark.client.storage.MemoryStorage;

/** A service whose responses a test gives when it wants. */
final class HeldService implements SmartlinkService {
    final List<String> recorded = new ArrayList<>();
    /** What waits for a time limit. */
    final List<Runnable> timers = new ArrayList<>();
    long time;
    boolean isDiskFull;
    final ClientStorage storage = new ClientStorage() {
        private final MemoryStorage memory = new MemoryStorage();

        @Override
        public byte[] read(String name) {
            return memory.read(name);
        }

        @Override
        public void write(String name, byte[] bytes) throws IOException {
            if (isDiskFull) throw new IOException("the disk is full");
            memory.write(name, bytes);
        }

        @Override
        public void setAside(String name) {
            memory.setAside(name);
        }
    };
    private KeptLinks links = new KeptLinks(storage, new ScriptedNetwork(null));
    final List<Integer> cancelled = new ArrayList<>();
    final List<OnNullableResult<DeferredDeeplink>> claims = new ArrayList<>();
    private final List<OnResult<ResolvedLink>> successes = new ArrayList<>();
    private final List<OnFailure> failures = new ArrayList<>();
    /** The router's link of each call; null for one of the app. */
    private final List<KeptLink> kept = new ArrayList<>();

    @Override
    public Set<String> getDomains() {
        return Collections.singleton("go.example.com");
    }

    @Override
    public Cancellable resolve(String smartlink, OnResult<ResolvedLink> onSuccess, OnFailure onFailure) {
        int call = successes.size();
        successes.add(onSuccess);
        failures.add(onFailure);
        kept.add(null);
        return () -> cancelled.add(call);
    }

    @Override
    public Cancellable resolve(KeptLink link, String smartlink, String clickId, OnResult<ResolvedLink> onSuccess,
            OnFailure onFailure) {
        Cancellable call = resolve(smartlink == null ? clickId : smartlink, onSuccess, onFailure);
        kept.set(kept.size() - 1, link);
        return call;
    }

    @Override
    public Cancellable resolveOnce(String smartlink, OnResult<ResolvedLink> onSuccess, OnFailure onFailure) {
        return resolve(smartlink, onSuccess, onFailure);
    }

    @Override
    public KeptLinks getKeptLinks() {
        return links;
    }

    @Override
    public Cancellable schedule(long milliseconds, Runnable action) {
        timers.add(action);
        return () -> timers.remove(action);
    }

    @Override
    public long elapsed() {
        return time;
    }

    @Override
    public Cancellable claimDeferred(InstallReferrer referrer, String clipboard,
            OnNullableResult<DeferredDeeplink> onSuccess, OnFailure onFailure) {
        claims.add(onSuccess);
        return () -> {};
    }

    @Override
    public void endClaim() {
        recorded.add("claim ended");
    }

    @Override
    public void recordInstallation(String clickId) {
        recorded.add("installation " + clickId);
    }

    @Override
    public Cancellable resolveClick(String clickId, OnResult<ResolvedLink> onSuccess, OnFailure onFailure) {
        return resolve(clickId, onSuccess, onFailure);
    }

    @Override
    public Cancellable createSmartlink(LinkRequest link, OnResult<String> onSuccess, OnFailure onFailure) {
        onSuccess.onResult("https://go.example.com/made");
        return () -> {};
    }

    @Override
    public void recordOpen(String clickId, String smartlink) {
        recorded.add(clickId + " " + smartlink);
    }

    /** The process ends: what is not stored is lost. */
    void restart() {
        links = new KeptLinks(storage, new ScriptedNetwork(null));
    }

    int waiting() {
        return successes.size();
    }

    /** @param metadata a JSON object, or null */
    void answer(int call, String deeplink, String metadata) throws Exception {
        store(call, deeplink, metadata);
        deliver(call);
    }

    private final Map<Integer, byte[]> stored = new HashMap<>();

    /** Stores the answer, as the client does before the router knows it. */
    void store(int call, String deeplink, String metadata) throws Exception {
        byte[] body = ("{\"deeplink\":\"" + deeplink + "\",\"metadata\":" + metadata + ",\"redeem\":{\"used\":1,\"status\":\""
                + (metadata == null ? "exhausted" : "redeemed") + "\"}}").getBytes("UTF-8");
        stored.put(call, kept.get(call) == null ? body : links.answered(kept.get(call), body));
    }

    void deliver(int call) {
        successes.get(call).onResult(ResolvedLink.read(stored.get(call)));
    }

    /** Answers the first claim. */
    void answerClaim(String deeplink) throws Exception {
        String body = "{\"match\":{\"method\":\"referrer\"},\"deeplink\":\"" + deeplink + "\",\"redeem\":{\"used\":0}}";
        List<Object> answers = new ArrayList<>(Collections.singletonList(waymark.client.json.Json.read(
                ("{\"status\":200,\"json\":" + body + "}").getBytes("UTF-8")).getValue()));
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").app("shop")
                .transport(new ScriptedNetwork(answers)).sendsEvents(false).build();
        claims.get(0).onResult(client.claimDeferred("waymark=c1", null));
    }

    void fail(int call) {
        failures.get(call).onFailure(WaymarkException.of(WaymarkException.Kind.OFFLINE, "there is no network"));
    }
}
