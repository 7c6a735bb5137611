package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.android.installreferrer.api.InstallReferrerClient;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import waymark.client.ClientSettings;
import waymark.client.DeferredDeeplink;
import waymark.client.LinkRequest;
import waymark.client.ResolvedLink;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.routing.Deeplink;
import waymark.client.routing.DeeplinkBuilder;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;
import waymark.client.storage.FileStorage;
import waymark.client.storage.MemoryStorage;
import waymark.client.transport.UrlConnectionTransport;
import waymark.installreferrer.PlayInstallReferrer;

/** The client against the service's program. */
class ServiceTest {
    private static Service service;

    @BeforeAll
    static void start() throws Exception {
        service = new Service();
    }

    @AfterAll
    static void stop() throws Exception {
        service.close();
    }

    private static LinkRequest coupon(int id) {
        return new LinkRequest("products/:product_id").routeParameter("product_id", id)
                .metadata(Collections.singletonMap("coupon", "20")).redeemLimit(1);
    }

    private static ClientSettings inline() {
        return service.client().executor(Runnable::run).callbackExecutor(Runnable::run);
    }

    @Test
    void redeemsMetadataOnceAndThenReportsExhaustion() throws Exception {
        WaymarkClient client = service.client().build();
        String smartlink = client.createSmartlink(coupon(1));
        ResolvedLink first = client.resolve(smartlink);
        assertEquals("shop://products/1", first.getDeeplink());
        assertEquals("20", first.getMetadata().getString("coupon"));
        assertEquals("redeemed", first.getRedeem().getStatus());
        ResolvedLink second = client.resolve(smartlink);
        assertNull(second.getMetadata());
        assertEquals("exhausted", second.getRedeem().getStatus());
    }

    @Test
    void takesNoRedeemIfAskedNotTo() throws Exception {
        WaymarkClient client = service.client().build();
        String smartlink = client.createSmartlink(coupon(2));
        assertEquals("skipped", client.resolve(smartlink, false).getRedeem().getStatus());
        assertNotNull(client.resolve(smartlink).getMetadata());
    }

    @Test
    void opensASmartlinkAndAnAppLinkWithMetadata() throws Exception {
        WaymarkClient client = inline().build();
        Deeplinking deeplinking = new Deeplinking(client, "shop");
        List<String> shown = new ArrayList<>();
        deeplinking.map("products/:product_id", deeplink -> shown.add(deeplink.getRouteParameters().get("product_id")
                + " " + (deeplink.getMetadata() == null ? null : deeplink.getMetadata().getString("coupon"))));
        Deeplink made = new DeeplinkBuilder("products/:product_id").routeParameter("product_id", 3)
                .metadata(Collections.singletonMap("coupon", "3")).redeemLimit(2).build();
        List<String> links = new ArrayList<>();
        deeplinking.generateSmartlink(made, links::add, error -> links.add(error.getMessage()));
        assertTrue(deeplinking.open(links.get(0)));
        assertTrue(deeplinking.open(service.clickOnAndroid(links.get(0))[0]));
        assertTrue(deeplinking.open(links.get(0)));
        assertEquals(List.of("3 3", "3 3", "3 null"), shown);
        client.flush();
        assertEquals(3, service.total(links.get(0), "opens"));
    }

    @Test
    void opensTheDefaultRouteForAnUnknownLink() throws Exception {
        Deeplinking deeplinking = new Deeplinking(inline().build(), "shop");
        List<Deeplink> opened = new ArrayList<>();
        deeplinking.mapDefault(deeplink -> opened.add(deeplink));
        List<OpenResult> results = new ArrayList<>();
        deeplinking.open(service.url + "/nothing-here", results::add);
        assertEquals(1, opened.size());
        assertEquals("link-unknown", results.get(0).getError().getProblem().getName());
    }

    @Test
    void claimsTheReferrersLinkOnce() throws Exception {
        WaymarkClient client = inline().build();
        String smartlink = client.createSmartlink(coupon(4));
        InstallReferrerClient.referrer = service.clickOnAndroid(smartlink)[1];
        Deeplinking deeplinking = new Deeplinking(client, "shop");
        List<Deeplink> opened = new ArrayList<>();
        deeplinking.map("products/:product_id", deeplink -> opened.add(deeplink));
        List<OpenResult> results = new ArrayList<>();
        PlayInstallReferrer referrer = new PlayInstallReferrer(new TestContext());
        deeplinking.openDeferred(referrer, null, results::add);
        assertTrue(results.get(0).isOpened());
        assertTrue(opened.get(0).isDeferred());
        assertEquals("20", opened.get(0).getMetadata().getString("coupon"));
        new Deeplinking(client, "shop").openDeferred(referrer, null, results::add);
        assertNull(results.get(1));
        client.flush();
        assertEquals(1, service.total(smartlink, "installs"));
        assertEquals(1, service.total(smartlink, "claims"));
    }

    @Test
    void asksTheStoreAgainOnlyUntilItHasAnswered() throws Exception {
        MemoryStorage storage = new MemoryStorage();
        WaymarkClient client = inline().storage(storage).build();
        String smartlink = client.createSmartlink(coupon(14));
        PlayInstallReferrer referrer = new PlayInstallReferrer(new TestContext());
        List<Object> outcomes = new ArrayList<>();
        InstallReferrerClient.referrer = service.clickOnAndroid(smartlink)[1];
        InstallReferrerClient.response = 1;
        client.claimDeferred(referrer, null, outcomes::add, outcomes::add);
        assertEquals(WaymarkException.Kind.UNREACHABLE, ((WaymarkException) outcomes.get(0)).getKind());
        assertEquals(0, client.getEventCounts().getWaiting(), "an installation without its click would be final");
        InstallReferrerClient.response = 0;
        client.claimDeferred(referrer, null, outcomes::add, outcomes::add);
        assertNotNull(((DeferredDeeplink) outcomes.get(1)).getLink().getMetadata());
        client.flush();
        assertEquals(1, service.total(smartlink, "installs"));
    }

    @Test
    void asksTheStoreOnceIfNoClickLedToTheInstallation() throws Exception {
        MemoryStorage storage = new MemoryStorage();
        InstallReferrerClient.referrer = "utm_source=google-play&utm_medium=organic";
        int before = InstallReferrerClient.connections;
        for (int launch = 0; launch < 3; launch++) {
            List<Object> outcomes = new ArrayList<>();
            inline().storage(storage).build().claimDeferred(
                    new PlayInstallReferrer(new TestContext()), null, outcomes::add, outcomes::add);
            assertNull(outcomes.get(0));
        }
        assertEquals(before + 1, InstallReferrerClient.connections);
    }

    @Test
    void waitsNotForEverForAStoreThatIsSilent() throws Exception {
        InstallReferrerClient.isSilent = true;
        try {
            assertThrows(java.io.IOException.class, () -> new PlayInstallReferrer(new TestContext(), 50).read());
        } finally {
            InstallReferrerClient.isSilent = false;
        }
        InstallReferrerClient.refusal = new SecurityException();
        try {
            assertNull(new PlayInstallReferrer(new TestContext()).read());
        } finally {
            InstallReferrerClient.refusal = null;
        }
    }

    @Test
    void claimsTheClipboardsLinkForOneInstallationOnly() throws Exception {
        String smartlink = service.client().build().createSmartlink(coupon(5));
        String copied = service.copiedLink(smartlink);
        DeferredDeeplink first = service.client().build().claimDeferred(null, " " + copied + "\n");
        assertEquals("clipboard", first.getMatch());
        assertEquals("20", first.getLink().getMetadata().getString("coupon"));
        assertNull(service.client().build().claimDeferred(null, copied));
    }

    @Test
    void reportsAConversionOnce() throws Exception {
        WaymarkClient client = service.client().build();
        String smartlink = client.createSmartlink(coupon(6));
        String click = service.clickOnAndroid(smartlink)[0].replaceAll(".*_hk_cid=([^&]*).*", "$1");
        assertTrue(client.reportConversion("order-1", "purchase", click, "12.50", "EUR"));
        assertFalse(client.reportConversion("order-1", "purchase", click, "12.50", "EUR"));
        assertThrows(IllegalArgumentException.class,
                () -> client.reportConversion("order-2", "purchase", click, "12.50", null));
        assertThrows(IllegalArgumentException.class, () -> client.reportConversion(
                "order-2", "purchase", click, null, "EUR", counted -> {}, error -> {}));
    }

    @Test
    void namesWhatIsMissingInTheSettings() throws Exception {
        WaymarkClient client = service.client().app(null).build();
        assertThrows(IllegalStateException.class, () -> client.claimDeferred(null, "x"));
        assertThrows(IllegalArgumentException.class,
                () -> service.client().domains(Collections.singleton("https://go.example.com")).build());
    }

    @Test
    void namesTheFieldsThatTheServiceRefuses() throws Exception {
        WaymarkClient client = service.client().build();
        WaymarkException error = assertThrows(WaymarkException.class,
                () -> client.createSmartlink(new LinkRequest("products/:product_id")));
        assertEquals(422, error.getStatus());
        assertTrue(error.getMessage().contains("routeParameters"), error.getMessage());
    }

    @Test
    void saysWhatIsWrongWithTheKeyWithoutShowingIt() throws Exception {
        WaymarkClient client = WaymarkClient.builder(service.url, "wm_wrong00000000000000000000000000000000")
                .allowsPlainLoopback(true).build();
        WaymarkException error = assertThrows(WaymarkException.class, () -> client.resolve(service.url + "/a"));
        assertEquals(401, error.getStatus());
        assertEquals("key-unknown", error.getProblem().getName());
        assertFalse(error.toString().contains("wm_wrong"));
        assertFalse(client.toString().contains("wm_wrong"));
    }

    @Test
    void countsEqualResolvesAtTheSameTimeAsOne() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        UrlConnectionTransport transport = new UrlConnectionTransport();
        // Neither is answered before both are under way.
        WaymarkClient client = service.client().transport(request -> {
            if (request.getUrl().endsWith("/resolve")) {
                both.countDown();
                try {
                    both.await();
                } catch (InterruptedException error) {
                    throw new IllegalStateException(error);
                }
            }
            return transport.send(request);
        }).build();
        String smartlink = client.createSmartlink(coupon(7));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Callable<ResolvedLink>> calls = List.of(() -> client.resolve(smartlink),
                () -> client.resolve(smartlink));
        for (Future<ResolvedLink> call : threads.invokeAll(calls)) {
            assertEquals("redeemed", call.get().getRedeem().getStatus());
        }
        threads.shutdown();
    }

    @Test
    void makesOneClaimAtATime() throws Exception {
        CountDownLatch isUnderWay = new CountDownLatch(1);
        CountDownLatch isAnswered = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        WaymarkClient client = service.client().transport(request -> {
            sent.incrementAndGet();
            isUnderWay.countDown();
            try {
                isAnswered.await();
            } catch (InterruptedException error) {
                throw new IllegalStateException(error);
            }
            return new UrlConnectionTransport().send(request);
        }).build();
        CountDownLatch isOver = new CountDownLatch(1);
        client.claimDeferred(() -> "waymark=unknown", null,
                deferred -> isOver.countDown(), error -> isOver.countDown());
        isUnderWay.await();
        assertNull(client.claimDeferred("waymark=unknown", null));
        isAnswered.countDown();
        isOver.await();
        assertEquals(1, sent.get());
    }

    @Test
    void createsTwoLinksForTwoEqualCalls() throws Exception {
        WaymarkClient client = service.client().build();
        assertNotEquals(client.createSmartlink(coupon(8)), client.createSmartlink(coupon(8)));
        assertEquals(client.createSmartlink(coupon(9).unique(true)), client.createSmartlink(coupon(9).unique(true)));
    }

    @Test
    void countsEachEventOnceFromManyThreads() throws Exception {
        WaymarkClient client = service.client().build();
        String smartlink = client.createSmartlink(coupon(12));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<Void>> calls = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            calls.add(() -> {
                for (int count = 0; count < 20; count++) {
                    client.recordOpen(null, smartlink);
                    if (count % 7 == 0) client.flush();
                }
                return null;
            });
        }
        for (Future<Void> call : threads.invokeAll(calls)) call.get();
        threads.shutdown();
        client.flush();
        assertEquals(160, service.total(smartlink, "opens"));
    }

    @Test
    void keepsEventsThroughKillsOfAppAndService() throws Exception {
        try (Service other = new Service()) {
            WaymarkClient client = other.client().build();
            String smartlink = client.createSmartlink(coupon(10));
            Set<String> clicks = new HashSet<>();
            for (int count = 0; count < 3; count++) {
                clicks.add(other.clickOnAndroid(smartlink)[0].replaceAll(".*_hk_cid=([^&]*).*", "$1"));
            }
            other.kill();
            File folder = Files.createTempDirectory("waymark-app").toFile();
            AppProcess.recordAndDie(other.url, folder, clicks);
            other.start();
            WaymarkClient reborn = other.client().storage(new FileStorage(folder)).build();
            assertEquals(3, reborn.getEventCounts().getWaiting());
            reborn.flush();
            reborn.flush();
            assertEquals(0, reborn.getEventCounts().getWaiting());
            assertEquals(3, other.total(smartlink, "opens"));
        }
    }

    @Test
    void takesNoSecondRedeemAfterAKillDuringTheRequest() throws Exception {
        WaymarkClient client = service.client().build();
        String smartlink = client.createSmartlink(coupon(11));
        File folder = Files.createTempDirectory("waymark-app").toFile();
        AppProcess.resolveAndDieBeforeTheAnswer(service, folder, smartlink);
        WaymarkClient reborn = service.client().storage(new FileStorage(folder)).build();
        ResolvedLink link = reborn.resolve(smartlink);
        assertEquals("redeemed", link.getRedeem().getStatus());
        assertEquals("20", link.getMetadata().getString("coupon"));
    }
}
