package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import waymark.cases.ScriptedNetwork;
import waymark.client.OnResult;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.routing.AsyncDeeplinkTarget;
import waymark.client.routing.Deeplink;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;
import waymark.client.storage.MemoryStorage;
import waymark.client.transport.TransportResponse;

/** A link that waits while the process sleeps or ends, the network is missing, or the person taps it again. */
class InterruptedLinkTest {
    private static final String SMARTLINK = "https://go.example.com/a";
    private static final String CLICK = "shop://products/1?_hk_md=1&_hk_cid=c1";
    private static final String COUPON = "{\"coupon\":\"20\"}";

    private final HeldService service = new HeldService();
    private final List<Deeplink> shown = new ArrayList<>();
    private final List<OpenResult> results = new ArrayList<>();
    private Deeplinking router = start(true);

    private Deeplinking start(boolean passes) {
        service.restart();
        Deeplinking next = new Deeplinking(service, "shop");
        next.map("products/:id", deeplink -> shown.add(deeplink));
        next.mapDefault(deeplink -> shown.add(deeplink));
        next.addFilter(deeplink -> passes);
        return next;
    }

    private static Intent view(String url) {
        return new Intent(Intent.ACTION_VIEW, Uri.parse(url));
    }

    private String stored() throws Exception {
        return new String(service.storage.read("links"), "UTF-8");
    }

    private static String coupon(Deeplink deeplink) {
        return deeplink.getMetadata() == null ? null : deeplink.getMetadata().getString("coupon");
    }

    private Bundle openAndLeave(String url) {
        Bundle state = new Bundle();
        router.open(view(url), null);
        router.save(state);
        return state;
    }

    // The process ends

    @ParameterizedTest
    @ValueSource(strings = {SMARTLINK, CLICK})
    void givesAHeldBackAnswerAfterTheEndOfTheProcess(String url) throws Exception {
        router = start(false);
        Bundle state = openAndLeave(url);
        service.answer(0, "shop://products/1", COUPON);
        router = start(true);
        assertTrue(router.open(view(url), state, Uri.parse("android-app://com.example.mail")));
        assertEquals(1, service.waiting(), "nothing is resolved a second time");
        assertEquals("20", coupon(shown.get(0)));
        assertEquals("android-app://com.example.mail", shown.get(0).getSourceApplication());
        assertEquals(1, service.recorded.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {SMARTLINK, CLICK})
    void opensNoLinkAgainWhoseTargetHasRun(String url) throws Exception {
        Bundle state = openAndLeave(url);
        service.answer(0, "shop://products/1", COUPON);
        router = start(true);
        assertFalse(router.open(view(url), state));
        assertEquals(1, service.waiting());
        assertEquals(1, shown.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {SMARTLINK, CLICK})
    void resolvesALinkWithoutAnAnswerAfterTheEndOfTheProcess(String url) throws Exception {
        Bundle state = openAndLeave(url);
        router = start(true);
        assertTrue(router.open(view(url), state));
        service.fail(1);
        assertEquals(1, shown.size(), "the default route, or the link without metadata, has not been seen");
        router = start(true);
        assertFalse(router.open(view(url), state), "the same state again");
    }

    @Test
    void keepsACouponWhoseLinkIsTappedAgainAndLeft() throws Exception {
        router = start(false);
        router.open(SMARTLINK);
        service.answer(0, "shop://products/1", COUPON);
        Bundle state = openAndLeave(SMARTLINK);
        router = start(true);
        assertTrue(router.open(view(SMARTLINK), state));
        assertEquals("20", coupon(shown.get(0)));
    }

    @Test
    void opensALinkThatCouldNotBeStored() throws Exception {
        service.isDiskFull = true;
        Bundle state = openAndLeave(SMARTLINK);
        router = start(true);
        assertTrue(router.open(view(SMARTLINK), state));
        service.answer(1, "shop://products/1", null);
        assertEquals(1, shown.size());
    }

    // The answer is late

    @Test
    void keepsMetadataThatComeWhileALinkOpensWithoutThem() throws Exception {
        List<OnResult<Boolean>> decisions = new ArrayList<>();
        router.addFilter((deeplink, result) -> decisions.add(result));
        router.open(CLICK, results::add);
        service.timers.get(0).run();
        service.answer(0, "shop://products/1", COUPON);
        decisions.get(0).onResult(true);
        assertNull(coupon(shown.get(0)));
        router = start(true);
        assertTrue(router.openCurrentDeeplink());
        assertEquals("20", coupon(shown.get(1)));
        assertEquals("{}", stored());
    }

    @Test
    void opensNothingWhenTheProcessSlept() throws Exception {
        for (boolean isAnswer : new boolean[] {true, false}) {
            shown.clear();
            results.clear();
            router = start(true);
            int call = service.waiting();
            service.timers.clear();
            router.open(SMARTLINK, results::add);
            service.time += 62_000;
            if (isAnswer) service.answer(call, "shop://products/7", COUPON);
            else service.timers.get(0).run();
            assertTrue(shown.isEmpty());
            assertEquals(WaymarkException.Kind.TIMED_OUT, results.get(0).getError().getKind());
            assertTrue(stored().contains(SMARTLINK));
            if (!isAnswer) {
                assertEquals(WaymarkException.Kind.TIMED_OUT, router.getCurrentDeeplink().getError().getKind());
                assertTrue(stored().contains("timedOut"));
                service.answer(call, "shop://products/7", COUPON);
            }
            assertTrue(router.openCurrentDeeplink());
            assertEquals("20", coupon(shown.get(0)));
            assertEquals(1, results.size());
        }
    }

    @Test
    void opensNoLinkWithoutMetadataWhenTheProcessSlept() throws Exception {
        for (boolean isAnswer : new boolean[] {true, false}) {
            shown.clear();
            results.clear();
            router = start(true);
            int call = service.waiting();
            service.timers.clear();
            router.open(CLICK, results::add);
            service.time += 6_001;
            if (isAnswer) service.answer(call, "shop://products/1", COUPON);
            else service.timers.get(0).run();
            assertTrue(shown.isEmpty());
            assertEquals(OpenResult.Outcome.NOT_OPENED, results.get(0).getOutcome());
            assertEquals(WaymarkException.Kind.TIMED_OUT, results.get(0).getDeeplink().getError().getKind());
            assertTrue(stored().contains("_hk_cid=c1"));
            if (!isAnswer) service.answer(call, "shop://products/1", COUPON);
            assertTrue(router.openCurrentDeeplink());
            assertEquals("20", coupon(shown.get(0)));
        }
    }

    /** Opens a link whose answer comes while the device's clock is set. */
    private OpenResult openWhile(long passes, long change) throws Exception {
        ScriptedNetwork clock = new ScriptedNetwork(null);
        String body = "{\"deeplink\":\"shop://products/1\",\"redeem\":{\"used\":0}}";
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").storage(new MemoryStorage())
                .clock(clock).sendsEvents(false).executor(Runnable::run).callbackExecutor(Runnable::run)
                .transport(request -> {
                    clock.time += passes;
                    clock.change = change;
                    return new TransportResponse(200, Collections.emptyMap(), body.getBytes(StandardCharsets.UTF_8));
                }).build();
        Deeplinking next = new Deeplinking(client, "shop");
        next.map("products/:id", deeplink -> shown.add(deeplink));
        next.open(SMARTLINK, results::add);
        return results.get(0);
    }

    @Test
    void opensALinkInTimeThoughTheClockIsSet() throws Exception {
        assertTrue(openWhile(1_000, 3_600_000).isOpened());
        assertEquals(1, shown.size());
    }

    @Test
    void opensNothingAfterASleepThoughTheClockIsSetBack() throws Exception {
        assertEquals(WaymarkException.Kind.TIMED_OUT, openWhile(62_000, -62_000).getError().getKind());
        assertTrue(shown.isEmpty());
    }

    // The network is missing

    @Test
    void supersedesNoRunWhenTheNetworkIsBack() throws Exception {
        List<OnResult<Boolean>> decisions = new ArrayList<>();
        router.addFilter((deeplink, result) -> decisions.add(result));
        router.open(SMARTLINK, results::add);
        service.fail(0);
        router.networkIsBack();
        router.networkIsBack();
        assertEquals(2, service.waiting());
        Bundle state = new Bundle();
        router.save(state);
        assertTrue(state.isEmpty(), "no link waits");
        decisions.get(0).onResult(true);
        assertEquals(1, shown.size(), "no other link was opened");
        service.answer(1, "shop://products/1", COUPON);
        assertEquals(1, shown.size());
        router.openCurrentDeeplink();
        decisions.get(1).onResult(true);
        assertEquals("20", coupon(shown.get(1)));
    }

    @Test
    void awaitsATargetWhenTheNetworkIsBack() throws Exception {
        List<Runnable> screens = new ArrayList<>();
        router.map("screens/:id", (AsyncDeeplinkTarget) (deeplink, done) -> screens.add(done));
        router.open("shop://screens/1?_hk_md=1&_hk_cid=c1", results::add);
        service.fail(0);
        router.networkIsBack();
        service.answer(1, "shop://screens/1", COUPON);
        screens.get(0).run();
        assertTrue(results.get(0).isOpened());
        router = start(true);
        router.map("screens/:id", deeplink -> shown.add(deeplink));
        router.openCurrentDeeplink();
        assertEquals("20", coupon(shown.get(0)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void asksAgainForMetadataThatFailed(boolean isNetworkBack) throws Exception {
        boolean[] passes = {false};
        router.addFilter(deeplink -> passes[0]);
        router.open(CLICK, results::add);
        service.fail(0);
        assertEquals(WaymarkException.Kind.OFFLINE, router.getCurrentDeeplink().getError().getKind());
        passes[0] = true;
        if (isNetworkBack) {
            router.networkIsBack();
            service.answer(1, "shop://products/1", COUPON);
            assertTrue(shown.isEmpty());
        }
        assertTrue(router.openCurrentDeeplink());
        if (!isNetworkBack) service.answer(1, "shop://products/1", COUPON);
        assertEquals(2, service.waiting());
        assertEquals("20", coupon(shown.get(0)));
        assertNull(shown.get(0).getError());
        assertEquals(Collections.singletonList("c1 null"), service.recorded);
        assertEquals("{}", stored());
    }

    // The link is tapped again

    @ParameterizedTest
    @ValueSource(strings = {SMARTLINK, CLICK})
    void keepsTheCouponOfALinkThatIsTappedAgain(String url) throws Exception {
        router = start(false);
        router.open(url);
        service.answer(0, "shop://products/1", COUPON);
        router.open(url);
        service.answer(1, "shop://products/1", null);
        assertEquals("20", coupon(router.getCurrentDeeplink()));
        router.open(url);
        service.fail(2);
        assertEquals(1, service.recorded.size(), "it is one opening");
        router = start(true);
        assertTrue(router.openCurrentDeeplink());
        assertEquals("20", coupon(shown.get(0)));
        assertEquals("{}", stored());
    }
}
