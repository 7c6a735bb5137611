package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import android.os.Looper;
import java.io.File;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import waymark.cases.ScriptedNetwork;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.android.AndroidClient;
import waymark.client.android.NetworkAwareTransport;
import waymark.client.transport.UrlConnectionTransport;

/** Android's parts, on stand-ins. */
class AndroidClientTest {
    @Test
    void saysOfflineOnlyIfTheDeviceHasNoNetwork() throws Exception {
        TestContext context = new TestContext();
        for (boolean isOffline : new boolean[] {false, true}) {
            context.isOffline = isOffline;
            int[] sent = {0};
            ScriptedNetwork network = new ScriptedNetwork(null);
            WaymarkClient client = AndroidClient.builder(context, "https://go.example.com", "wm_x").clock(network)
                    .transport(new NetworkAwareTransport(context, request -> {
                        sent[0]++;
                        throw WaymarkException.of(WaymarkException.Kind.UNREACHABLE, "x", new ConnectException("x"));
                    })).sendsEvents(false).build();
            WaymarkException error = assertThrows(
                    WaymarkException.class, () -> client.resolve("https://go.example.com/a"));
            WaymarkException.Kind kind =
                    isOffline ? WaymarkException.Kind.OFFLINE : WaymarkException.Kind.UNREACHABLE;
            assertEquals(kind, error.getKind());
            assertEquals(isOffline ? 1 : 4, sent[0]);
        }
    }

    @Test
    void repeatsARequestWhoseConnectionBrokeBetweenTwoNetworks() throws Exception {
        TestContext context = new TestContext();
        context.isOffline = true;
        ScriptedNetwork clock = new ScriptedNetwork(null);
        try (StandInServer server = StandInServer.answering("")) {
            WaymarkClient client = WaymarkClient.builder(server.url(), "wm_x").allowsPlainLoopback(true).clock(clock)
                    .transport(new NetworkAwareTransport(context, new UrlConnectionTransport()))
                    .sendsEvents(false).build();
            WaymarkException error = assertThrows(
                    WaymarkException.class, () -> client.resolve("https://go.example.com/a"));
            assertEquals(WaymarkException.Kind.UNREACHABLE, error.getKind());
            assertEquals(3, clock.waits.size());
        }
    }

    @Test
    void leavesTheStateToTheMainProcess() throws Exception {
        TestContext context = new TestContext();
        context.mainProcess = "com.example.shop";
        ScriptedNetwork network = new ScriptedNetwork(null);
        WaymarkClient client = AndroidClient.builder(context, "https://go.example.com", "wm_x").app("shop")
                .transport(network).sendsEvents(false).build();
        client.recordOpen("c1");
        assertEquals(1, client.getEventCounts().getWaiting());
        assertNull(client.claimDeferred("waymark=c1", null));
        assertTrue(network.sent.isEmpty());
        assertEquals(0, context.getNoBackupFilesDir().list().length);
        TestContext cut = new TestContext();
        cut.mainProcess += ".with.a.long.name";
        AndroidClient.builder(cut, "https://go.example.com", "wm_x").sendsEvents(false).build().recordOpen("c1");
        assertEquals(1, cut.getNoBackupFilesDir().list().length);
    }

    @Test
    void callsBackOnTheMainThread() throws Exception {
        TestContext context = new TestContext();
        WaymarkClient client = AndroidClient.builder(context, "https://go.example.com", "wm_x")
                .transport(new ScriptedNetwork(null)).retry(RetryPolicy.NEVER).sendsEvents(false).build();
        List<Object> called = new ArrayList<>();
        client.resolve("https://go.example.com/a", called::add, called::add);
        Runnable message = Looper.getMainLooper().messages.take();
        assertTrue(called.isEmpty());
        message.run();
        assertEquals(WaymarkException.Kind.UNREACHABLE, ((WaymarkException) called.get(0)).getKind());
        client.recordOpen("c1");
        assertTrue(new File(context.getNoBackupFilesDir(), "waymark/events.json").exists());
    }
}
