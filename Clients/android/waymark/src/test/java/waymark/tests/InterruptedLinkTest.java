package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import waymark.client.OnResult;
import waymark.client.routing.Deeplink;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;

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

    private String stored() throws Exception {
        return new String(service.storage.read("links"), "UTF-8");
    }

    private static String coupon(Deeplink deeplink) {
        return deeplink.getMetadata() == null ? null : deeplink.getMetadata().getString("coupon");
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
