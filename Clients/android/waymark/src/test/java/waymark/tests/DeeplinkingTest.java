package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.os.Looper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import waymark.client.LinkRequest;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.routing.DeeplinkBuilder;
import waymark.client.routing.DeeplinkRegistration;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;
import waymark.client.transport.TransportResponse;

class DeeplinkingTest {
    private final HeldService service = new HeldService();
    private final Deeplinking deeplinking = new Deeplinking(service, "shop");
    private final List<String> shown = new ArrayList<>();
    private final List<OpenResult> results = new ArrayList<>();

    @BeforeEach
    void map() {
        deeplinking.map("products/:id", deeplink -> shown.add("product " + deeplink.getRouteParameters().get("id")));
        deeplinking.map("collections/:name", deeplink -> shown.add("collection"));
        deeplinking.mapDefault(deeplink -> shown.add("default"));
    }

    private static Intent view(String url) {
        return new Intent(Intent.ACTION_VIEW, Uri.parse(url));
    }

    @Test
    void opensNothingForAnAnswerThatALaterLinkOvertook() throws Exception {
        assertTrue(deeplinking.open("https://go.example.com/a", results::add));
        assertTrue(deeplinking.open("shop://collections/hats"));
        service.answer(0, "shop://products/1", null);
        assertEquals(List.of("collection"), shown);
        assertEquals(OpenResult.Outcome.NOT_OPENED, results.get(0).getOutcome());
        assertEquals("1", results.get(0).getDeeplink().getRouteParameters().get("id"));
    }

    @Test
    void opensNothingForAFailureThatALaterLinkOvertook() throws Exception {
        deeplinking.open("https://go.example.com/a");
        deeplinking.open("https://go.example.com/b");
        service.fail(0);
        service.answer(1, "shop://products/2", null);
        assertEquals(List.of("product 2"), shown);
    }

    @Test
    void opensTheDefaultRouteIfASmartlinkFails() {
        deeplinking.open("https://go.example.com/a", results::add);
        service.fail(0);
        assertEquals(List.of("default"), shown);
        assertEquals(OpenResult.Outcome.FAILED, results.get(0).getOutcome());
    }

    @Test
    void opensWithoutMetadataIfItCannotBeFetched() throws Exception {
        deeplinking.open("shop://products/1?_hk_cid=c1&_hk_md=1");
        assertEquals(1, service.waiting());
        service.fail(0);
        assertEquals(List.of("product 1"), shown);
        assertNull(deeplinking.getCurrentDeeplink().getMetadata());
        assertEquals(List.of("c1 null"), service.recorded);
    }

    @Test
    void holdsALinkBackAndRecordsItOnce() {
        DeeplinkRegistration login = deeplinking.addFilter(deeplink -> false);
        assertFalse(deeplinking.open("shop://products/1?_hk_cid=c1"));
        deeplinking.remove(login);
        assertTrue(deeplinking.openCurrentDeeplink());
        assertEquals(List.of("product 1"), shown);
        assertEquals(List.of("c1 null"), service.recorded);
    }

    @Test
    void letsATargetOpenAnotherLink() {
        deeplinking.map("old/:id", deeplink -> deeplinking.open("shop://products/"
                + deeplink.getRouteParameters().get("id")));
        assertTrue(deeplinking.open("shop://old/7"));
        assertEquals(List.of("product 7"), shown);
        assertEquals("products/:id", deeplinking.getCurrentDeeplink().getRoute());
    }

    @Test
    void opensNoTargetOfALinkThatAHandlerHasReplaced() {
        deeplinking.addHandler(deeplink -> {
            if ("products/:id".equals(deeplink.getRoute())) deeplinking.open("shop://collections/hats");
        });
        assertFalse(deeplinking.open("shop://products/1"));
        assertEquals(List.of("collection"), shown);
    }

    @Test
    void comparesHostsAsAWhole() {
        for (String url : Arrays.asList("https://go.example.com.evil.example/products/1",
                "https://go.example.com@evil.example/products/1", "https://evil.example/go.example.com")) {
            deeplinking.open(url);
        }
        assertEquals(0, service.waiting());
        deeplinking.open("HTTPS://GO.example.com:443/a");
        assertEquals(1, service.waiting());
    }

    @Test
    void refusesASecondTargetAndAnUnmappedRoute() {
        assertThrows(IllegalStateException.class, () -> deeplinking.map("/products/:id/", deeplink -> {}));
        assertThrows(IllegalArgumentException.class, () -> deeplinking.generateSmartlink(
                new DeeplinkBuilder("nowhere").build(), link -> {}, error -> {}));
    }

    @Test
    void opensAnIntentsLinkOnce() {
        Intent intent = view("shop://products/1");
        assertTrue(deeplinking.open(intent, null));
        assertFalse(deeplinking.open(intent, null), "a rotated activity has the same intent");
        assertTrue(deeplinking.open(view("shop://products/1")), "the same link was tapped again");
        assertFalse(deeplinking.open(view("shop://products/2"), new Bundle()), "the process had ended");
        assertFalse(deeplinking.open(view("shop://products/3")
                .addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY), null), "started from the recent apps");
        assertEquals(List.of("product 1", "product 1"), shown);
    }

    @Test
    void ignoresIntentsThatAreNoLinkOfTheApp() {
        String longPath = String.join("", Collections.nCopies(20_000, "a"));
        for (Intent intent : Arrays.asList(null, new Intent(), new Intent(Intent.ACTION_VIEW),
                new Intent("android.intent.action.MAIN", Uri.parse("shop://products/1")),
                        view("content://products/1"),
                view("file:///products/1"), view("javascript:alert(1)"), view("https:///products/1"), view(""),
                view("intent://products/1"), view("shop://products/" + longPath))) {
            assertFalse(deeplinking.open(intent));
        }
        assertNull(deeplinking.getCurrentDeeplink());
    }

    @Test
    void opensNoDeferredLinkIfTheAppWasStartedWithALink() {
        deeplinking.open("https://go.example.com/a");
        deeplinking.openDeferred(() -> "waymark=c1", null, results::add);
        assertNull(results.get(0));
        assertTrue(service.claims.isEmpty());
        assertEquals(List.of("installation null", "claim ended"), service.recorded);
    }

    @Test
    void opensADeferredLinkUnlessAnotherOneWasOpenedMeanwhile() throws Exception {
        deeplinking.openDeferred(null, null, results::add);
        service.answerClaim("shop://products/1");
        assertEquals(List.of("product 1"), shown);
        Deeplinking other = new Deeplinking(service, "shop");
        other.map("products/:id", deeplink -> shown.add("deferred"));
        other.mapDefault(deeplink -> shown.add("tapped"));
        service.claims.clear();
        other.openDeferred(null, null, results::add);
        other.open("shop://tapped");
        service.answerClaim("shop://products/1");
        assertEquals(List.of("product 1", "tapped"), shown);
        assertEquals(OpenResult.Outcome.NOT_OPENED, results.get(1).getOutcome());
        new Deeplinking(null, "shop").openDeferred(null, null, results::add);
        assertNull(results.get(2));
    }

    @Test
    void opensOnlyLinksOfTheAppFromALazyLink() {
        for (String uri : Arrays.asList("javascript%3Aalert(1)", "content%3A%2F%2Fproducts%2F1",
                "file%3A%2F%2F%2Fproducts%2F1", "intent%3A%2F%2Fproducts%2F1")) {
            deeplinking.open("https://go.example.com/lazy?uri=" + uri);
        }
        assertEquals(4, service.waiting(), "the service decides");
        assertEquals(List.of(), shown);
        for (String uri : Arrays.asList("SHOP%3A%2F%2Fproducts%2F1", "products%2F2",
                "https%3A%2F%2Fother.example%2Fproducts%2F3")) {
            deeplinking.open("https://go.example.com/lazy?uri=" + uri);
        }
        assertEquals(List.of("product 1", "product 2", "product 3"), shown);
    }

    @Test
    void stopsAtAFilterOrHandlerThatOpensAnotherLink() throws Exception {
        DeeplinkRegistration filter = deeplinking.addFilter(deeplink ->
                !"products/:id".equals(deeplink.getRoute()) || deeplinking.open("https://go.example.com/b"));
        deeplinking.addHandler(deeplink -> shown.add("handled " + deeplink.getRoute()));
        assertFalse(deeplinking.open("shop://products/1"), "a smart link waits for the service");
        assertTrue(shown.isEmpty());
        deeplinking.remove(filter);
        deeplinking.addHandler(deeplink -> {
            if ("products/:id".equals(deeplink.getRoute())) deeplinking.open("https://go.example.com/c");
        });
        deeplinking.addHandler(deeplink -> shown.add("second " + deeplink.getRoute()));
        assertFalse(deeplinking.open("shop://products/2"));
        assertEquals(List.of("handled products/:id"), shown);
        service.answer(1, "shop://collections/hats", null);
        assertEquals(List.of("handled collections/:name", "second collections/:name", "collection"),
                shown.subList(1, 4));
    }

    @Test
    void cancelsARequestThatALaterLinkOvertakes() {
        deeplinking.open("https://go.example.com/a");
        deeplinking.open("shop://products/1?_hk_cid=c1&_hk_md=1");
        deeplinking.open("shop://products/2");
        deeplinking.open("shop://products/3");
        assertEquals(List.of(0, 1), service.cancelled);
    }

    @Test
    void boundsTheThreadsOfManyLinks() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        BlockingQueue<OpenResult> outcomes = new LinkedBlockingQueue<>();
        CountDownLatch isLast = new CountDownLatch(1);
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").sendsEvents(false)
                .transport(request -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    try {
                        isLast.await();
                        byte[] body = "{\"deeplink\":\"shop://products/1\",\"redeem\":{\"used\":0}}".getBytes("UTF-8");
                        return new TransportResponse(200, Collections.emptyMap(), body);
                    } catch (InterruptedException error) {
                        throw WaymarkException.of(WaymarkException.Kind.CANCELLED, "cancelled");
                    } catch (java.io.UnsupportedEncodingException error) {
                        throw new IllegalStateException(error);
                    } finally {
                        running.decrementAndGet();
                    }
                }).build();
        Deeplinking router = new Deeplinking(client, "shop");
        router.map("products/:id", deeplink -> {});
        for (int link = 0; link < 299; link++) router.open("https://go.example.com/" + link, outcomes::add);
        for (int link = 0; link < 298; link++) {
            assertEquals(WaymarkException.Kind.CANCELLED, outcomes.take().getError().getKind());
        }
        isLast.countDown();
        assertTrue(outcomes.take().isOpened());
        assertTrue(most.get() <= 8, most.toString());
    }

    @Test
    void isForTheMainThread() {
        Looper.mainThread = new Thread();
        try {
            assertThrows(IllegalStateException.class, () -> deeplinking.open("shop://products/1"));
            assertThrows(IllegalStateException.class, () -> deeplinking.open("https://go.example.com/a"));
        } finally {
            Looper.mainThread = null;
        }
        assertTrue(shown.isEmpty());
        assertEquals(0, service.waiting());
    }

    @Test
    void keepsTheUrlThatWasTapped() throws Exception {
        deeplinking.open("https://other.example/products/1?a=b");
        assertEquals("https://other.example/products/1?a=b", deeplinking.getCurrentDeeplink().getOriginalUrl());
        assertEquals("shop://products/1?a=b", deeplinking.getCurrentDeeplink().getOpenedUrl());
        deeplinking.open("https://go.example.com/a?x=1");
        service.fail(0);
        assertEquals("https://go.example.com/a?x=1", deeplinking.getCurrentDeeplink().getOriginalUrl());
        assertNull(new DeeplinkBuilder("a").build().getOriginalUrl());
    }

    @Test
    void keepsALinkThatWaitsForTheServiceWhenTheProcessEnds() throws Exception {
        Bundle state = new Bundle();
        deeplinking.open(view("https://go.example.com/a"));
        deeplinking.save(state);
        assertFalse(deeplinking.open(view("https://go.example.com/a"), state), "it is waiting in this process");
        Deeplinking reborn = new Deeplinking(service, "shop");
        reborn.map("products/:id", deeplink -> shown.add("reborn"));
        assertTrue(reborn.open(view("https://go.example.com/a"), state));
        service.answer(1, "shop://products/1", null);
        assertEquals(List.of("reborn"), shown);
        Bundle empty = new Bundle();
        reborn.save(empty);
        assertTrue(empty.isEmpty());
    }

    @Test
    void passesOnWhereAnIntentCameFrom() {
        assertTrue(deeplinking.open(view("shop://products/1"), null, Uri.parse("android-app://com.example.mail")));
        assertEquals("android-app://com.example.mail", deeplinking.getCurrentDeeplink().getSourceApplication());
        assertTrue(deeplinking.open("shop://products/2", null, results::add));
    }

    @Test
    void showsNoValuesOfARequestAndChangesNoMapOfTheCaller() {
        java.util.Map<String, Object> campaign = new java.util.HashMap<>();
        campaign.put("source", "secret");
        LinkRequest request = new LinkRequest("a").set("campaign", campaign).campaign("medium", "y")
                .set("social", Collections.singletonMap("title", "secret"));
        assertEquals(Collections.singletonMap("source", "secret"), campaign);
        assertEquals("LinkRequest([route, campaign, social])", request.toString());
        request.metadata(Collections.singletonMap("iban", "secret")).set("tags", Collections.emptyMap());
        assertFalse(request.toString().contains("secret"));
        new LinkRequest().set("campaign", Collections.singletonMap("a", "b")).campaign("medium", "y");
    }

    @Test
    @Timeout(10)
    void readsAHostileUrlInLinearTime() {
        String slashes = String.join("", Collections.nCopies(4_000, "/:"));
        deeplinking.open("shop://" + slashes + "?" + String.join("", Collections.nCopies(4_000, "&%")) + "#");
        assertEquals(List.of("default"), shown);
        String endless = "shop://products/" + String.join("", Collections.nCopies(2_000_000, "/:"));
        assertFalse(deeplinking.open(endless, results::add));
        assertEquals(OpenResult.Outcome.NOT_HANDLED, results.get(0).getOutcome());
    }
}
