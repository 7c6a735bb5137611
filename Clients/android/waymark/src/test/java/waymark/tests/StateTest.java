package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import waymark.cases.ScriptedNetwork;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.json.Json;
import waymark.client.storage.ClientStorage;
import waymark.client.storage.FileStorage;
import waymark.client.storage.MemoryStorage;
import waymark.client.transport.TransportResponse;

class StateTest {
    private static WaymarkClient client(ClientStorage storage, String... answers) throws Exception {
        return client(storage, network(answers));
    }

    private static WaymarkClient client(ClientStorage storage, ScriptedNetwork network) throws Exception {
        return WaymarkClient.builder("https://go.example.com", "wm_x").app("shop").storage(storage).transport(network)
                .clock(network).sendsEvents(false).build();
    }

    private static ScriptedNetwork network(String... answers) throws Exception {
        List<Object> values = new ArrayList<>();
        for (String answer : answers) values.add(Json.read(answer.getBytes(StandardCharsets.UTF_8)).getValue());
        return new ScriptedNetwork(values);
    }

    private static File folder() throws IOException {
        return new File(Files.createTempDirectory("waymark-state").toFile(), "waymark");
    }

    @Test
    void restoresEventsFromTheFolder() throws Exception {
        File folder = folder();
        client(new FileStorage(folder)).recordOpen("c1");
        assertEquals(1, client(new FileStorage(folder)).getEventCounts().getWaiting());
        assertEquals(java.util.Set.of("events.json", "lock"), java.util.Set.of(folder.list()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 17, 60, 123})
    void losesNothingThatWasRecordedWhenTheAppIsKilled(int count) throws Exception {
        File folder = folder();
        AppProcess.writeAndDie(folder, count);
        WaymarkClient client = client(new FileStorage(folder));
        assertTrue(client.getEventCounts().getWaiting() >= count, client.getEventCounts().toString());
        assertFalse(new File(folder, "events.broken").exists());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "{", "[]", "{\"events\":1}", "{\"events\":[{}]}",
                "{\"events\":[{\"id\":\"a\",\"type\":\"x\",\"platform\":\"p\",\"at\":1}]}"})
    void setsAnInvalidFileAside(String text) throws Exception {
        File folder = folder();
        assertTrue(folder.mkdir());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Files.write(folder.toPath().resolve("events.json"), bytes);
        WaymarkClient client = client(new FileStorage(folder));
        client.recordOpen("c1");
        assertEquals(1, client.getEventCounts().getWaiting());
        assertArrayEquals(bytes, Files.readAllBytes(folder.toPath().resolve("events.broken")));
    }

    @Test
    void leavesAFolderToTheProcessThatHasIt() throws Exception {
        File folder = folder();
        try (java.io.Closeable other = AppProcess.holding(folder)) {
            ScriptedNetwork network = network();
            WaymarkClient client = client(new FileStorage(folder), network);
            client.recordOpen("c2");
            assertEquals(1, client.getEventCounts().getWaiting());
            assertNull(client.claimDeferred("waymark=c1", null));
            assertTrue(network.sent.isEmpty());
        }
        assertEquals(1, client(new FileStorage(folder)).getEventCounts().getWaiting(), "only the other one's event");
    }

    @Test
    void writesNothingWhileTheFolderAboveIsMissing() throws Exception {
        File device = Files.createTempDirectory("waymark-state").toFile();
        File locked = new File(device, "locked");
        File unlocked = new File(device, "unlocked");
        assertTrue(unlocked.mkdir());
        client(new FileStorage(new File(unlocked, "waymark"))).recordOpen("c1");
        WaymarkClient client = client(new FileStorage(new File(locked, "waymark")));
        client.recordOpen("c2");
        client.claimDeferred("waymark=c1", null);
        assertEquals(1, client.getEventCounts().getWaiting(), "no installation is recorded");
        assertFalse(locked.exists());
        assertTrue(new File(unlocked, "waymark/lock").delete(), "a lock is the file's, whatever its path");
        assertTrue(unlocked.renameTo(locked));
        assertEquals(2, client.getEventCounts().getWaiting());
        assertEquals(2, client(new FileStorage(new File(locked, "waymark"))).getEventCounts().getWaiting());
    }

    @Test
    void boundsTheSizeOfTheStoredEvents() throws Exception {
        File folder = folder();
        WaymarkClient client = client(new FileStorage(folder));
        // Each of these characters takes six bytes in JSON.
        String click = String.join("", Collections.nCopies(1_024, "\u0001"));
        for (int count = 0; count < 390; count++) client.recordOpen(count + click.substring(3));
        assertTrue(new File(folder, "events.json").length() < 1_100_000);
        WaymarkClient reborn = client(new FileStorage(folder));
        assertEquals(client.getEventCounts().getWaiting(), reborn.getEventCounts().getWaiting());
        assertEquals(390, reborn.getEventCounts().getWaiting() + reborn.getEventCounts().getDropped());
        assertTrue(reborn.getEventCounts().getWaiting() > 100);
    }

    @Test
    void triesAgainIfAnInvalidValueCanNotBeSetAside() throws Exception {
        FailingStorage storage = new FailingStorage();
        storage.write("events", new byte[] {'{'});
        storage.isStuck = true;
        WaymarkClient client = client(storage);
        client.recordOpen("c1");
        assertArrayEquals(new byte[] {'{'}, storage.read("events"));
        storage.isStuck = false;
        assertEquals(1, client.getEventCounts().getWaiting());
        assertArrayEquals(new byte[] {'{'}, storage.read("events.broken"));
        assertEquals(1, client(storage).getEventCounts().getWaiting());
    }

    @Test
    void keepsTheOldFileIfATemporaryOneIsLeft() throws Exception {
        File folder = folder();
        client(new FileStorage(folder)).recordOpen("c1");
        Files.write(folder.toPath().resolve("events.json.tmp"), "{\"events\":[".getBytes(StandardCharsets.UTF_8));
        WaymarkClient client = client(new FileStorage(folder));
        client.recordOpen("c2");
        assertEquals(2, client(new FileStorage(folder)).getEventCounts().getWaiting());
    }

    /** Storage of a device that is locked, or full. */
    private static final class FailingStorage implements ClientStorage {
        final MemoryStorage storage = new MemoryStorage();
        boolean isLocked;
        boolean isFull;
        boolean isStuck;

        @Override
        public byte[] read(String name) throws IOException {
            if (isLocked) throw new IOException("locked");
            return storage.read(name);
        }

        @Override
        public void write(String name, byte[] bytes) throws IOException {
            if (isLocked || isFull) throw new IOException("no space left on device");
            storage.write(name, bytes);
        }

        @Override
        public void setAside(String name) throws IOException {
            if (isStuck) throw new IOException("can't be moved");
            storage.setAside(name);
        }
    }

    @Test
    void mergesWhatHappenedWhileTheStorageWasLocked() throws Exception {
        FailingStorage storage = new FailingStorage();
        client(storage).recordOpen("c1");
        storage.isLocked = true;
        WaymarkClient client = client(storage);
        client.recordOpen("c2");
        assertEquals(1, client.getEventCounts().getWaiting());
        storage.isLocked = false;
        assertEquals(2, client.getEventCounts().getWaiting());
        assertEquals(2, client(storage).getEventCounts().getWaiting());
    }

    @Test
    void worksOnAFullDiskAndStoresLater() throws Exception {
        FailingStorage storage = new FailingStorage();
        storage.isFull = true;
        WaymarkClient client = client(storage, "{\"status\":200,\"json\":{\"redeem\":{\"used\":0}}}");
        client.recordOpen("c1");
        assertNotNull(client.resolve("https://go.example.com/a"));
        assertEquals(0, client(storage).getEventCounts().getWaiting());
        storage.isFull = false;
        assertEquals(1, client.getEventCounts().getWaiting());
        assertEquals(1, client(storage).getEventCounts().getWaiting());
    }

    @Test
    void claimsNothingWhileTheStorageIsLocked() throws Exception {
        FailingStorage storage = new FailingStorage();
        storage.isLocked = true;
        ScriptedNetwork network = network("{\"status\":200,\"json\":{\"match\":null}}");
        WaymarkClient client = client(storage, network);
        assertEquals(null, client.claimDeferred("waymark=c1", null));
        assertEquals(0, client.getEventCounts().getWaiting());
        storage.isLocked = false;
        assertEquals(null, client.claimDeferred(null, null));
        assertEquals(null, client.claimDeferred("waymark=c1", null));
        assertEquals(1, network.sent.size());
        assertEquals(2, client.getEventCounts().getWaiting(), "the installation, and the same with its click");
        client.recordInstallation("c2");
        assertEquals(2, client.getEventCounts().getWaiting());
        assertTrue(client.isClaimed());
    }

    @Test
    void showsNoKeyThatAProxyRepeats() throws Exception {
        String problem = "{\"type\":\"x\",\"status\":403,\"detail\":\"Authorization: Bearer wm_x\"}";
        String escaped = problem.replace("wm_x", "\\u0077m_x");
        ScriptedNetwork network = network("{\"status\":403,\"json\":" + problem + "}",
                "{\"status\":403,\"json\":{\"error\":{\"message\":\"wm_x\"}}}",
                "{\"status\":403,\"headers\":{\"Content-Type\":\"application/problem+json\"},\"text\":"
                        + Json.write(escaped) + "}");
        WaymarkClient client = client(new MemoryStorage(), network);
        for (int attempt = 0; attempt < 3; attempt++) {
            WaymarkException error = assertThrows(
                    WaymarkException.class, () -> client.resolve("https://go.example.com/a"));
            assertEquals(WaymarkException.Kind.UNEXPECTED_ANSWER, error.getKind());
            assertFalse(error.toString().contains("wm_x"), error.toString());
        }
    }

    @Test
    void keepsAKeyThroughARestartUntilTheAnswer() throws Exception {
        MemoryStorage storage = new MemoryStorage();
        String timeout = "{\"failure\":\"offline\"}";
        String answer = "{\"status\":200,\"json\":{\"redeem\":{\"used\":0}}}";
        List<String> keys = new ArrayList<>();
        for (String each : List.of(timeout, timeout, answer, answer)) {
            ScriptedNetwork network = network(each);
            WaymarkClient client = client(storage, network);
            try {
                client.resolve("https://go.example.com/a");
            } catch (WaymarkException error) {
                assertEquals(WaymarkException.Kind.OFFLINE, error.getKind());
            }
            keys.add(network.sent.get(0).getFields().get("Idempotency-Key"));
        }
        assertEquals(keys.get(0), keys.get(1));
        assertEquals(keys.get(0), keys.get(2));
        assertFalse(keys.get(0).equals(keys.get(3)));
    }

    @Test
    void sendsEventsByItselfAfterTransientFailures() throws Exception {
        CountDownLatch sent = new CountDownLatch(3);
        List<Long> waits = Collections.synchronizedList(new ArrayList<>());
        ScriptedNetwork clock = network();
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").storage(new MemoryStorage())
                .retry(waymark.client.RetryPolicy.NEVER)
                .transport(request -> {
                    sent.countDown();
                    int status = sent.getCount() > 0 ? 503 : 202;
                    byte[] body = "{\"counted\":1}".getBytes(StandardCharsets.UTF_8);
                    return new TransportResponse(status, Collections.emptyMap(), body);
                })
                .clock(new waymark.client.Clock() {
                    @Override
                    public long now() {
                        return clock.now();
                    }

                    @Override
                    public long elapsed() {
                        return clock.elapsed();
                    }

                    @Override
                    public void sleep(long milliseconds) {
                        waits.add(milliseconds);
                    }
                }).build();
        client.recordOpen("c1");
        sent.await();
        while (client.getEventCounts().getWaiting() > 0) Thread.yield();
        assertEquals(2, waits.size());
        assertTrue(waits.get(0) >= 5_000 && waits.get(0) <= 10_000, waits.toString());
        assertTrue(waits.get(1) >= 10_000 && waits.get(1) <= 20_000, waits.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", " ", "nul", "01", "1.", ".5", "+1", "1e", "\"a", "\"\\x\"", "\"\t\"", "\"\\ud800\"",
                "\"\\udc00\\ud800\"", "[1,]",
        "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{\"a\":1,\"a\":2}", "[1] 2", "\uFEFF{}", "NaN", "'a'", "[1 2]",
                "{\"a\":}", "-"})
    void refusesWhatIsNotJson(String text) {
        assertThrows(waymark.client.json.JsonException.class, () -> Json.read(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void readsThirtyTwoLevelsAndNoMore() throws Exception {
        String deepest = String.join("", Collections.nCopies(32, "[")) + String.join("", Collections.nCopies(32, "]"));
        assertEquals(deepest, Json.write(Json.read(deepest.getBytes(StandardCharsets.UTF_8)).getValue()));
        assertThrows(waymark.client.json.JsonException.class,
                () -> Json.read(("[" + deepest + "]").getBytes(StandardCharsets.UTF_8)));
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        assertThrows(IllegalArgumentException.class, () -> Json.write(endless));
    }

    @Test
    void writesWhatItReads() throws Exception {
        String text = "{\"a\":[1,-2,1.5,true,false,null,\"\\\"\\\\\\u0001ü😀\"],\"b\":{},\"c\":[]}";
        assertEquals(text, Json.write(Json.read(text.getBytes(StandardCharsets.UTF_8)).getValue()));
        assertEquals(100L, Json.read("1e2".getBytes(StandardCharsets.UTF_8)).getValue());
        assertEquals(1.5e300, Json.read("15e299".getBytes(StandardCharsets.UTF_8)).getValue());
        // As a number of 64 bits it would be written out on Android: a double shows that it was not.
        assertEquals(0.0, Json.read("0e999999999".getBytes(StandardCharsets.UTF_8)).getValue());
        assertEquals(Double.POSITIVE_INFINITY, Json.read("1e999999999".getBytes(StandardCharsets.UTF_8)).getValue());
        String digits = String.join("", Collections.nCopies(200_000, "9"));
        assertEquals(Double.POSITIVE_INFINITY, Json.read(digits.getBytes(StandardCharsets.UTF_8)).getValue());
    }
}
