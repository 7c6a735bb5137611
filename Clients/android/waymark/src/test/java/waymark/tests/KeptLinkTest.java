package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.net.Network;
import android.os.Looper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import waymark.client.LinkFinding;
import waymark.client.LinkRequest;
import waymark.client.OnResult;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.android.NetworkReturn;
import waymark.cases.ScriptedNetwork;
import waymark.client.json.Json;
import waymark.client.routing.AsyncDeeplinkTarget;
import waymark.client.routing.Deeplink;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;
import waymark.client.storage.FileStorage;
import waymark.client.storage.MemoryStorage;
import waymark.client.transport.TransportRequest;
import waymark.client.transport.UrlConnectionTransport;

/** What a person was meant to see is there until it was seen. */
class KeptLinkTest {
    private final HeldService held = new HeldService();
    private final Deeplinking router = new Deeplinking(held, "shop");
    private final List<Object> shown = new ArrayList<>();
    private final List<OpenResult> results = new ArrayList<>();

    private Deeplinking mapped(Deeplinking deeplinking) {
        deeplinking.map("products/:id", deeplink -> shown.add(deeplink.getRouteParameters().get("id")));
        deeplinking.mapDefault(deeplink -> shown.add(deeplink));
        return deeplinking;
    }

    @Test
    void keepsADeferredLinkOfAProcessThatWasKilledBeforeTheSignIn() throws Exception {
        try (Service service = new Service()) {
            File folder = Files.createTempDirectory("waymark-kept").resolve("state").toFile();
            String smartlink = service.client().build().createSmartlink(new LinkRequest("products/:product_id")
                    .routeParameter("product_id", "a/b").redeemLimit(1)
                    .metadata(Collections.singletonMap("coupon", "20")));
            String referrer = service.clickOnAndroid(smartlink)[1];
            AppProcess.holdAndDie(service.url, folder, referrer);
            assertEquals("rw-------", PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(folder.toPath().resolve("links.json"))));

            List<Deeplink> opened = new ArrayList<>();
            for (int start = 0; start < 3; start++) {
                WaymarkClient client = service.client().storage(new FileStorage(folder)).executor(Runnable::run).build();
                Deeplinking next = new Deeplinking(client, "shop");
                next.map("products/:product_id", deeplink -> opened.add(deeplink));
                if (start == 0) {
                    assertNotNull(client.getInstallationDeeplink().getLink().getMetadata());
                    next.addFilter(deeplink -> false);
                }
                next.openDeferred(() -> referrer, null, result -> {});
                assertEquals("a/b", client.getInstallationDeeplink().getLink().getRouteParameters().get("product_id"));
                if (start == 2) assertNull(client.getInstallationDeeplink().getLink().getMetadata());
                client.flush();
            }
            assertEquals(1, opened.size());
            assertEquals("a/b", opened.get(0).getRouteParameters().get("product_id"));
            assertEquals("20", opened.get(0).getMetadata().getString("coupon"));
            assertTrue(opened.get(0).isDeferred());
            assertEquals(1, service.client().build().resolve(smartlink, false).getRedeem().getUsed());
            assertEquals(1, service.total(smartlink, "opens"));
            assertEquals(1, service.total(smartlink, "installs"));
        }
    }

    @Test
    void opensTheDefaultRouteAtTheTimeLimitAndNothingLater() throws Exception {
        mapped(router).open("https://go.example.com/a?b=c", results::add);
        held.timers.get(0).run();
        Deeplink failed = (Deeplink) shown.get(0);
        assertEquals(WaymarkException.Kind.TIMED_OUT, failed.getError().getKind());
        assertEquals("https://go.example.com/a?b=c", failed.getOriginalUrl());
        assertEquals(List.of(OpenResult.Outcome.FAILED), List.of(results.get(0).getOutcome()));
        held.answer(0, "shop://products/7", "{\"coupon\":\"20\"}");
        assertEquals(1, shown.size());
        assertTrue(held.cancelled.isEmpty());
        assertTrue(router.openCurrentDeeplink());
        assertEquals("7", shown.get(1));
        assertEquals(1, results.size());
    }

    @Test
    void resolvesAFailedLinkWhenTheDeviceHasANetworkAgain() throws Exception {
        TestContext device = new TestContext();
        device.isOffline = true;
        Looper.getMainLooper().messages.clear();
        NetworkReturn.register(device, mapped(router));
        router.open("https://go.example.com/a", results::add);
        held.fail(0);
        device.connectivity.callbacks.get(0).onAvailable(new Network());
        Looper.getMainLooper().messages.take().run();
        assertEquals(2, held.waiting());
        held.answer(1, "shop://products/8", null);
        assertEquals(1, shown.size(), "nothing opens by itself");
        assertTrue(router.openCurrentDeeplink());
        assertEquals("8", shown.get(1));
    }

    @Test
    void awaitsFiltersAndTargets() throws Exception {
        List<OnResult<Boolean>> decisions = new ArrayList<>();
        List<Runnable> screens = new ArrayList<>();
        router.addFilter((deeplink, result) -> decisions.add(result));
        router.map("products/:id", (AsyncDeeplinkTarget) (deeplink, done) -> screens.add(done));
        assertTrue(router.open("shop://products/1", results::add), "it may still open");
        router.open("shop://products/2", results::add);
        assertTrue(new String(held.storage.read("links"), "UTF-8").contains("shop://products/2"), "the process may end");
        decisions.get(1).onResult(true);
        decisions.get(0).onResult(true);
        assertEquals(1, screens.size(), "the last link wins");
        assertEquals(OpenResult.Outcome.NOT_OPENED, results.get(0).getOutcome());
        assertFalse(router.getCurrentDeeplink().wasOpened());
        screens.get(0).run();
        screens.get(0).run();
        assertEquals(2, results.size());
        assertTrue(results.get(1).isOpened());
        assertEquals("{}", new String(held.storage.read("links"), "UTF-8"));
        assertEquals("2", router.getCurrentDeeplink().getRouteParameters().get("id"));
    }

    @Test
    void givesUpALinkWhoseTargetEndsTheApp() throws Exception {
        router.addFilter(deeplink -> false);
        mapped(router).open("shop://products/1");
        int starts = 0;
        for (int start = 0; start < 5; start++) {
            Deeplinking next = new Deeplinking(held, "shop");
            next.map("products/:id", deeplink -> {
                throw new IllegalStateException("the screen is broken");
            });
            try {
                next.openCurrentDeeplink();
            } catch (IllegalStateException error) {
                starts++;
            }
        }
        assertEquals(3, starts);
        assertEquals("{}", new String(held.storage.read("links"), "UTF-8"));
    }

    @Test
    void keepsAnAnswerAsDeepAsAnswersMayBe() throws Exception {
        String deep = String.join("", Collections.nCopies(29, "{\"a\":")) + "[\"\\u00e4\"]"
                + String.join("", Collections.nCopies(29, "}"));
        String answer = "{\"status\":200,\"json\":{\"deeplink\":\"shop://products/1\",\"metadata\":" + deep
                + ",\"redeem\":{\"used\":1}}}";
        MemoryStorage storage = new MemoryStorage();
        for (int start = 0; start < 2; start++) {
            ScriptedNetwork network = new ScriptedNetwork(
                    new ArrayList<>(List.of(Json.read(answer.getBytes("UTF-8")).getValue())));
            WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").storage(storage)
                    .clock(network).transport(network).executor(Runnable::run).sendsEvents(false).build();
            Deeplinking next = mapped(new Deeplinking(client, "shop"));
            if (start == 0) {
                next.addFilter(deeplink -> false);
                next.open("https://go.example.com/a");
            } else {
                assertTrue(next.openCurrentDeeplink());
                assertTrue(network.sent.isEmpty());
                assertTrue(next.getCurrentDeeplink().getMetadata().getJson().contains("ä"));
            }
        }
        assertEquals(List.of("1"), shown);
    }

    @Test
    void comparesTheAppWithTheService() throws Exception {
        try (Service service = new Service()) {
            List<TransportRequest> sent = new ArrayList<>();
            UrlConnectionTransport transport = new UrlConnectionTransport();
            WaymarkClient client = service.client().system("Android 15").transport(request -> {
                sent.add(request);
                return transport.send(request);
            }).build();
            Deeplinking own = mapped(new Deeplinking(client, "shop"));
            List<String> states = new ArrayList<>();
            for (LinkFinding finding : client.check(own)) states.add(finding.getCheck() + " " + finding.getState());
            assertEquals(List.of("service ok", "key ok", "clock ok", "app ok", "domains ok", "scheme ok", "routes ok"),
                    states);
            assertEquals("WaymarkAndroid/" + WaymarkClient.VERSION + " (Android 15)",
                    sent.get(0).getFields().get("User-Agent"));

            WaymarkClient other = WaymarkClient.builder(service.url, "wm_unknown0123456789abcdefghijABCDEFGHIJ")
                    .allowsPlainLoopback(true).sendsEvents(false).build();
            states.clear();
            for (LinkFinding finding : other.check(new Deeplinking(other, "other"))) {
                states.add(finding.getCheck() + " " + finding.getState());
            }
            assertEquals(List.of("service ok", "key finding", "clock ok", "app skipped", "domains skipped",
                    "scheme skipped", "routes finding"), states);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop", "store"})
    void comparesTheSchemeOfAKeyThatOnlyResolves(String scheme) throws Exception {
        String unknown = "{\"status\":404,\"json\":{\"type\":\"urn:waymark:problem:link-unknown\",\"status\":404}}";
        String summary = "{\"status\":200,\"json\":{\"id\":\"shop\",\"domains\":[],\"platforms\":[\"android\"],"
                + "\"urlSchemes\":{\"ios\":null,\"android\":\"shop\"}}}";
        ScriptedNetwork network = new ScriptedNetwork(new ArrayList<>(List.of(
                Json.read(unknown.getBytes("UTF-8")).getValue(), Json.read(summary.getBytes("UTF-8")).getValue())));
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").app("shop").clock(network)
                .transport(network).executor(Runnable::run).sendsEvents(false).build();
        for (LinkFinding finding : client.check(mapped(new Deeplinking(client, scheme)))) {
            boolean isWrong = finding.getCheck().equals("scheme") && scheme.equals("store");
            assertEquals(isWrong, finding.getState().equals("finding"), finding.toString());
        }
    }

    @Test
    void reportsRequestsWithoutValues() throws Exception {
        ScriptedNetwork network = new ScriptedNetwork(new ArrayList<>(List.of(
                Json.read("{\"status\":503,\"text\":\"SECRET\"}".getBytes("UTF-8")).getValue(),
                Json.read("{\"failure\":\"offline\"}".getBytes("UTF-8")).getValue())));
        List<String> steps = new ArrayList<>();
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_SECRET").clock(network)
                .transport(network).executor(Runnable::run).sendsEvents(false)
                .onDiagnostic(step -> steps.add(step.toString())).build();
        assertThrows(WaymarkException.class, () -> client.resolve("https://go.example.com/SECRET"));
        assertEquals(List.of("request host=go.example.com", "response host=go.example.com status=503",
                "retry host=go.example.com status=503 error=unexpectedAnswer", "request host=go.example.com",
                "response host=go.example.com error=offline"), steps);
    }

    @Test
    void reportsStepsWithoutValues() throws Exception {
        List<String> steps = new ArrayList<>();
        router.setOnDiagnostic(step -> steps.add(step.toString()));
        router.addFilter(deeplink -> false);
        mapped(router).open("https://go.example.com/SECRET?token=SECRET");
        held.answer(0, "shop://products/SECRET?q=SECRET", "{\"coupon\":\"SECRET\"}");
        router.open("fb1://authorize?code=SECRET");
        assertEquals(List.of("resolving host=go.example.com", "resolved host=go.example.com",
                "heldBack route=products/:id", "kept route=products/:id", "notHandled"), steps);
        assertEquals("asks the service, because its host is one of the app's domains (go.example.com)",
                router.explain("https://go.example.com/a").toString());
        assertThrows(IllegalArgumentException.class, () -> new waymark.client.routing.DeeplinkBuilder("products/:id")
                .routeParameter("id", "..").build());
    }
}
