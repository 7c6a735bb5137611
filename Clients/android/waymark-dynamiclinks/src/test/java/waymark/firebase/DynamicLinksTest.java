package waymark.firebase;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.content.Intent;
import android.net.Uri;
import android.os.Looper;
import com.android.installreferrer.api.InstallReferrerClient;
import com.google.firebase.dynamiclinks.DynamicLink;
import com.google.firebase.dynamiclinks.FirebaseDynamicLinks;
import com.google.firebase.dynamiclinks.PendingDynamicLinkData;
import com.google.firebase.dynamiclinks.RuntimeExecutionException;
import com.google.firebase.dynamiclinks.ShortDynamicLink;
import com.google.firebase.dynamiclinks.Task;
import com.google.firebase.dynamiclinks.TaskCompletionSource;
import com.google.firebase.dynamiclinks.Tasks;
import com.google.firebase.dynamiclinks.WaymarkDynamicLinks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import waymark.client.LinkRequest;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.android.AndroidClient;
import waymark.installreferrer.PlayInstallReferrer;
import waymark.tests.Service;
import waymark.tests.TestContext;

/** Firebase's names against the service's program. */
class DynamicLinksTest {
    private static Service service;
    private static TestContext context;
    private WaymarkClient client;

    @BeforeAll
    static void start() throws Exception {
        service = new Service();
        context = new TestContext();
    }

    @AfterAll
    static void stop() throws Exception {
        service.close();
    }

    @BeforeEach
    void setUp() throws Exception {
        client = service.client().appVersion("7").executor(Runnable::run).callbackExecutor(Runnable::run).build();
        InstallReferrerClient.referrer = null;
        WaymarkDynamicLinks.setUp(context, client, new PlayInstallReferrer(context));
        Looper.getMainLooper().messages.clear();
    }

    private static void runMainThread() {
        for (Runnable message = Looper.getMainLooper().messages.poll(); message != null;
                message = Looper.getMainLooper().messages.poll()) message.run();
    }

    private static Intent view(String url) {
        return new Intent(Intent.ACTION_VIEW, Uri.parse(url));
    }

    private DynamicLink.Builder product(int id) {
        return FirebaseDynamicLinks.getInstance().createDynamicLink()
                .setLink(Uri.parse("https://shop.example.com/products/" + id)).setDomainUriPrefix(service.url)
                .setAndroidParameters(
                        new DynamicLink.AndroidParameters.Builder("com.example.shop").setMinimumVersion(12).build())
                .setGoogleAnalyticsParameters(
                        new DynamicLink.GoogleAnalyticsParameters.Builder("mail", "email", "spring").build());
    }

    @Test
    void buildsALongLinkWithAllParameters() {
        assertEquals("https://go.example.com/?link=https%3A%2F%2Fwww.example.com%2F%3Fa%3Db&apn=com.example.shop"
                + "&afl=https%3A%2F%2Fwww.example.com%2Fandroid&amv=125&ibi=com.example.ios"
                + "&ifl=https%3A%2F%2Fwww.example.com%2Fios&ius=shop&ipfl=https%3A%2F%2Fwww.example.com%2Fipad"
                + "&ipbi=com.example.ipad&isi=123456789&imv=1.0.1&utm_source=orkut&utm_medium=social"
                + "&utm_campaign=example%20promo&utm_term=a%26b&utm_content=c%3Dd&pt=123456&at=af&ct=example-promo"
                + "&st=Example%20of%20a%20Dynamic%20Link"
                + "&sd=This%20link%20works%20whether%20the%20app%20is%20installed%20or%20not%21"
                + "&si=https%3A%2F%2Fwww.example.com%2Fi.png&efr=1",
                new RetiredSample().makeLong(Uri.parse("https://www.example.com/?a=b")).toString());
    }

    @Test
    void keepsThePathOfAPrefix() {
        assertEquals("https://go.example.com/promo?link=https%3A%2F%2Fa.example%2F",
                FirebaseDynamicLinks.getInstance().createDynamicLink()
                        .setDomainUriPrefix("https://go.example.com/promo")
                        .setLink(Uri.parse("https://a.example/")).buildDynamicLink().getUri().toString());
    }

    @Test
    void returnsEmptyValuesForWhatIsNotSet() {
        assertArrayEquals(new Object[] {
            Uri.EMPTY, 0, "", Uri.EMPTY, "", "", "", "s", "m", "c", "", "", "", "", "", "", "", Uri.EMPTY, false},
                RetiredSample.getters());
    }

    @Test
    void refusesALinkWithoutADomain() {
        DynamicLink.Builder builder = FirebaseDynamicLinks.getInstance().createDynamicLink();
        assertThrows(IllegalArgumentException.class, builder::buildDynamicLink);
        assertThrows(IllegalArgumentException.class, builder::buildShortDynamicLink);
    }

    @Test
    void createsAndOpensAShortLink() throws Exception {
        RetiredSample activity = new RetiredSample();
        Task<ShortDynamicLink> task = activity.shorten(product(1).buildDynamicLink().getUri());
        runMainThread();
        assertNotNull(activity.created, String.valueOf(task.getException()));
        activity.start(context, view(activity.created.toString()));
        runMainThread();
        assertEquals(Uri.parse("https://shop.example.com/products/1"), activity.opened);
    }

    @Test
    void opensALongLinkWithVersionAndCampaign() throws Exception {
        Uri link = product(2).buildDynamicLink().getUri();
        PendingDynamicLinkData data = Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(link));
        assertEquals(Uri.parse("https://shop.example.com/products/2"), data.getLink());
        assertEquals(12, data.getMinimumAppVersion());
        assertEquals("mail", data.getUtmParameters().getString("utm_source"));
        assertEquals("spring", data.getUtmParameters().getString("utm_campaign"));
        assertNotNull(data.getUpdateAppIntent(context));
        context.versionCode = 12;
        assertNull(data.getUpdateAppIntent(context));
        context.versionCode = 7;
    }

    @Test
    void opensWhatAndroidPassesOnAfterAClick() throws Exception {
        Uri shortLink = Tasks.await(product(3).buildShortDynamicLink()).getShortLink();
        String url = service.clickOnAndroid(shortLink.toString())[0];
        assertTrue(url.startsWith("https://shop.example.com/products/3?_hk_cid="), url);
        PendingDynamicLinkData data = Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(view(url)));
        assertEquals(Uri.parse("https://shop.example.com/products/3"), data.getLink());
        client.flush();
        assertEquals(1, service.total(shortLink.toString(), "opens"));
    }

    @Test
    void findsTheLinkThatLedToTheInstallationOnce() throws Exception {
        Uri shortLink = Tasks.await(product(4).buildShortDynamicLink(ShortDynamicLink.Suffix.SHORT)).getShortLink();
        InstallReferrerClient.referrer = service.clickOnAndroid(shortLink.toString())[1];
        FirebaseDynamicLinks links = FirebaseDynamicLinks.getInstance();
        assertEquals(Uri.parse("https://shop.example.com/products/4"),
                Tasks.await(links.getDynamicLink(new Intent("android.intent.action.MAIN"))).getLink());
        assertNull(Tasks.await(links.getDynamicLink((Intent) null)));
    }

    @Test
    void opensALinkOnceAndAsksForItOnceForEachIntent() throws Exception {
        Uri shortLink = Tasks.await(product(8).buildShortDynamicLink()).getShortLink();
        String[] click = service.clickOnAndroid(shortLink.toString());
        InstallReferrerClient.referrer = click[1];
        FirebaseDynamicLinks links = FirebaseDynamicLinks.getInstance();
        Intent intent = view(click[0]);
        for (int rotation = 0; rotation < 3; rotation++) {
            assertEquals(Uri.parse("https://shop.example.com/products/8"),
                    Tasks.await(links.getDynamicLink(intent)).getLink());
        }
        assertNull(Tasks.await(links.getDynamicLink(new Intent("android.intent.action.MAIN"))), "the claim is over");
        client.flush();
        assertEquals(1, service.total(shortLink.toString(), "opens"));
    }

    @Test
    void asksForNoLinkOfAnIntentThatIsNoLink() throws Exception {
        AtomicInteger sent = new AtomicInteger();
        client = service.client().executor(Runnable::run).retry(RetryPolicy.NEVER).transport(request -> {
            sent.incrementAndGet();
            throw WaymarkException.of(WaymarkException.Kind.UNREACHABLE, "x");
        }).build();
        WaymarkDynamicLinks.setUp(context, client);
        String click = "shop://products/1?_hk_cid=c1";
        String longUrl = click + String.join("", Collections.nCopies(20_000, "a"));
        for (Intent intent : Arrays.asList(new Intent("x.EVIL", Uri.parse(click)), view(longUrl),
                view("content://x/?_hk_cid=c1"), view("javascript:?_hk_cid=c1"),
                view(click).addFlags(Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY))) {
            assertNull(Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(intent)));
        }
        assertEquals(0, sent.get());
        Intent intent = view(click);
        assertThrows(ExecutionException.class,
                () -> Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(intent)));
        int first = sent.get();
        assertThrows(ExecutionException.class,
                () -> Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(intent)));
        assertTrue(sent.get() > first, "a failure can be repeated");
    }

    @Test
    void waitsForNoTaskOnTheMainThread() throws Exception {
        Looper.mainThread = Thread.currentThread();
        try {
            assertThrows(IllegalStateException.class, () -> Tasks.await(new TaskCompletionSource<>().getTask()));
            assertThrows(IllegalStateException.class, () -> Tasks.await(Tasks.forResult(1), 1, TimeUnit.SECONDS));
            WaymarkClient android = AndroidClient.builder(context, service.url, "wm_x").allowsPlainLoopback(true)
                    .sendsEvents(false).build();
            assertThrows(IllegalStateException.class, () -> android.resolve(service.url + "/a"));
        } finally {
            Looper.mainThread = null;
        }
        TaskCompletionSource<Integer> source = new TaskCompletionSource<>();
        Thread later = new Thread(() -> source.setResult(1));
        later.start();
        assertEquals(1, Tasks.await(source.getTask(), Long.MAX_VALUE, TimeUnit.MILLISECONDS));
        assertThrows(TimeoutException.class,
                () -> Tasks.await(new TaskCompletionSource<>().getTask(), 1, TimeUnit.MILLISECONDS));
    }

    @Test
    void hasTheOtherMembersOfTasks() throws Exception {
        TaskCompletionSource<Integer> source = new TaskCompletionSource<>();
        assertTrue(source.trySetResult(1));
        assertFalse(source.trySetResult(2));
        assertFalse(source.trySetException(new IllegalStateException()));
        assertThrows(IllegalStateException.class, () -> source.setResult(2));
        Task<Integer> one = source.getTask();
        assertEquals(2, one.continueWith(Runnable::run, task -> task.getResult() + 1).getResult());
        assertEquals(3, one.continueWithTask(Runnable::run, task -> Tasks.forResult(3)).getResult());
        assertEquals(4, one.onSuccessTask(Runnable::run, value -> Tasks.forResult(value + 3)).getResult());
        assertEquals(5, Tasks.call(Runnable::run, () -> 5).getResult());
        assertEquals(Arrays.asList(1, "a"), Tasks.whenAllSuccess(one, Tasks.forResult("a")).getResult());
        assertTrue(Tasks.whenAll(one, Tasks.forException(new IllegalStateException())).getException()
                instanceof ExecutionException);
        assertTrue(Tasks.whenAll().isSuccessful());
        List<String> called = new ArrayList<>();
        Task<Integer> cancelled = Tasks.<Integer>forCanceled().addOnCanceledListener(Runnable::run, () ->
                called.add("cancelled")).addOnFailureListener(Runnable::run, error -> called.add("failed"));
        one.addOnCanceledListener(Runnable::run, () -> called.add("no"));
        assertTrue(cancelled.isCanceled() && cancelled.isComplete() && !cancelled.isSuccessful());
        assertEquals(List.of("cancelled"), called);
    }

    @Test
    void findsNothingInALinkOfAnotherHost() throws Exception {
        FirebaseDynamicLinks links = FirebaseDynamicLinks.getInstance();
        assertNull(Tasks.await(links.getDynamicLink(view("https://shop.example.com/products/5"))));
    }

    @Test
    void failsWithTheServicesWords() {
        Task<ShortDynamicLink> task = FirebaseDynamicLinks.getInstance().createDynamicLink()
                .setLink(Uri.parse("nonsense")).setDomainUriPrefix(service.url).buildShortDynamicLink();
        assertTrue(task.getException().getMessage().contains("link"), task.getException().getMessage());
        assertThrows(RuntimeExecutionException.class, task::getResult);
        assertThrows(WaymarkException.class, () -> task.getResult(WaymarkException.class));
        Task<PendingDynamicLinkData> unknown =
                FirebaseDynamicLinks.getInstance().getDynamicLink(Uri.parse(service.url + "/nowhere"));
        assertEquals("link-unknown", ((WaymarkException) unknown.getException()).getProblem().getName());
    }

    @Test
    void continuesTasks() throws Exception {
        Task<Integer> length = Tasks.forResult("four").continueWith(task -> task.getResult().length());
        Task<String> failed = Tasks.<String>forException(new IllegalStateException("x")).continueWith(task ->
                task.getResult());
        Task<String> chained = Tasks.forResult("a").onSuccessTask(text -> Tasks.forResult(text + "b"));
        for (int round = 0; round < 3; round++) runMainThread();
        assertEquals(4, length.getResult());
        assertEquals("x", failed.getException().getMessage());
        assertEquals("ab", chained.getResult());
    }

    @Test
    void opensAnOrdinarySmartlinkToo() throws Exception {
        String smartlink = client.createSmartlink(new LinkRequest("products/:product_id")
                .routeParameter("product_id", 6).metadata(Collections.singletonMap("a", 1)));
        assertEquals(Uri.parse("shop://products/6"),
                Tasks.await(FirebaseDynamicLinks.getInstance().getDynamicLink(Uri.parse(smartlink))).getLink());
    }
}
