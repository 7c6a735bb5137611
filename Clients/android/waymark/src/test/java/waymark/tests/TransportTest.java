package waymark.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import waymark.client.RetryPolicy;
import waymark.client.WaymarkClient;
import waymark.client.WaymarkException;
import waymark.client.WaymarkException.Kind;
import waymark.client.internal.RetryAfter;
import waymark.client.transport.UrlConnectionTransport;

/** The default transport against answers that no service gives. */
class TransportTest {
    private static final String RESOLVED =
            "{\"deeplink\":\"shop://a\",\"redeem\":{\"limit\":null,\"used\":0,\"remaining\":null,\"status\":\"none\"}}";

    private static WaymarkClient client(StandInServer server, long timeLimit) throws WaymarkException {
        return WaymarkClient.builder(server.url(), "wm_secret").allowsPlainLoopback(true).retry(RetryPolicy.NEVER)
                .timeLimitMillis(timeLimit).answerLimit(64 * 1024).sendsEvents(false).build();
    }

    private static WaymarkException failure(StandInServer server, long timeLimit) throws WaymarkException {
        WaymarkClient client = client(server, timeLimit);
        WaymarkException error = assertThrows(WaymarkException.class, () -> client.resolve("https://a.example/b"));
        assertFalse(error.toString().contains("wm_secret"));
        return error;
    }

    static Arguments[] answers() {
        String deep = String.join("", Collections.nCopies(20_000, "["));
        String redirect = "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
        return new Arguments[] {
            Arguments.of("a redirect", redirect, Kind.UNEXPECTED_ANSWER),
            Arguments.of("a proxy's page",
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
                    Kind.UNEXPECTED_ANSWER),
            Arguments.of("a proxy's error",
                    "HTTP/1.1 403 X\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
                    Kind.UNEXPECTED_ANSWER),
            Arguments.of("no body", "HTTP/1.1 204 X\r\n\r\n", Kind.UNEXPECTED_ANSWER),
            Arguments.of("deep JSON", StandInServer.json(200, deep), Kind.UNEXPECTED_ANSWER),
            Arguments.of("a deep problem", StandInServer.json(422, deep), Kind.UNEXPECTED_ANSWER),
            Arguments.of("a member twice", StandInServer.json(200, RESOLVED.replace("{\"deep",
                    "{\"redeem\":1,\"deep")),
                    Kind.UNEXPECTED_ANSWER),
            Arguments.of("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", Kind.UNREACHABLE),
            Arguments.of("nothing", "", Kind.UNREACHABLE),
            Arguments.of("half a body", StandInServer.json(200, RESOLVED).substring(0, 100), Kind.UNREACHABLE),
            Arguments.of("a huge body that is announced",
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999999999\r\n\r\n"
                            + String.join("", Collections.nCopies(70_000, " ")), Kind.ANSWER_TOO_LARGE),
            Arguments.of("a problem", StandInServer.json(410,
                    "{\"type\":\"urn:waymark:problem:link-expired\",\"status\":200}"),
                    Kind.REFUSED),
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void reportsWhatIsWrongWithAnAnswer(String name, String answer, Kind kind) throws Exception {
        try (StandInServer server = StandInServer.answering(answer)) {
            assertEquals(kind, failure(server, 10_000).getKind());
        }
    }

    @Test
    void stopsReadingAnEndlessBody() throws Exception {
        byte[] chunk = ("1000\r\n" + String.join("", Collections.nCopies(4096, " ")) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        try (StandInServer server = new StandInServer(output -> {
            output.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            while (true) output.write(chunk);
        })) {
            assertEquals(Kind.ANSWER_TOO_LARGE, failure(server, 10_000).getKind());
        }
    }

    @Test
    void limitsTheWholeExchangeWhileBytesArrive() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (StandInServer server = new StandInServer(output -> {
            output.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            do {
                output.write('a');
                output.flush();
            } while (!end.await(20, TimeUnit.MILLISECONDS));
        })) {
            assertEquals(Kind.TIMED_OUT, failure(server, 300).getKind());
        } finally {
            end.countDown();
        }
    }

    @Test
    void limitsAnExchangeWithoutAnAnswer() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (StandInServer server = new StandInServer(output -> end.await())) {
            assertEquals(Kind.TIMED_OUT, failure(server, 300).getKind());
        } finally {
            end.countDown();
        }
    }

    @Test
    void stopsIfItsThreadIsInterrupted() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (StandInServer server = new StandInServer(output -> end.await())) {
            WaymarkClient client = client(server, 60_000);
            AtomicReference<Object> outcome = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                try {
                    outcome.set(client.resolve("https://a.example/b"));
                } catch (WaymarkException error) {
                    outcome.set(error.getKind());
                }
            });
            caller.start();
            server.requests.take();
            caller.interrupt();
            caller.join();
            assertEquals(Kind.CANCELLED, outcome.get());
        } finally {
            end.countDown();
        }
    }

    @Test
    void reportsARefusedConnectionAndAnUnknownHost() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        for (String url : Arrays.asList("http://127.0.0.1:" + port, "https://nowhere.invalid")) {
            WaymarkClient client = WaymarkClient.builder(url, "wm_secret").allowsPlainLoopback(true)
                    .retry(RetryPolicy.NEVER).sendsEvents(false).build();
            WaymarkException error = assertThrows(WaymarkException.class,
                    () -> client.resolve("https://a.example/b"));
            assertEquals(Kind.UNREACHABLE, error.getKind());
        }
    }

    @Test
    void sendsTheKeyAndTheBodyOnce() throws Exception {
        try (StandInServer server = StandInServer.answering(StandInServer.json(200, RESOLVED))) {
            assertEquals("shop://a", client(server, 10_000).resolve("https://a.example/ü").getDeeplink());
            String request = server.requests.take();
            assertTrue(request.startsWith("POST /api/v1/resolve HTTP/1.1\r\n"), request);
            assertTrue(request.contains("Authorization: Bearer wm_secret\r\n"), request);
            assertTrue(server.requests.isEmpty());
        }
    }

    @Test
    void repeatsALostRequestWithTheSameKey() throws Exception {
        int[] count = {0};
        try (StandInServer server = new StandInServer(output -> {
            boolean isLost = count[0]++ < 2;
            String answer = isLost ? "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{" : StandInServer.json(200,
                    RESOLVED);
            output.write(answer.getBytes(StandardCharsets.US_ASCII));
        })) {
            WaymarkClient client = WaymarkClient.builder(server.url(), "wm_secret").allowsPlainLoopback(true)
                    .retry(new RetryPolicy(4, 1, 1)).sendsEvents(false).build();
            assertEquals("shop://a", client.resolve("https://a.example/b").getDeeplink());
            assertEquals("shop://a", client.resolve("https://a.example/b").getDeeplink());
            String first = key(server.requests.take());
            assertEquals(first, key(server.requests.take()));
            assertEquals(first, key(server.requests.take()));
            assertNotEquals(first, key(server.requests.take()));
        }
    }

    private static String key(String request) {
        return request.replaceAll("(?s).*Idempotency-Key: ([^\r]*)\r.*", "$1");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "go.example.com", "http://go.example.com", "https://", "https://user@go.example.com",
                "https://go.example.com?a",
        "https://go.example.com#a", "ftp://go.example.com", "https://go.example.com/ü",
                "http://127.0.0.1.example.com",
        "http://localhost:8080", "https://go.example.com:99999", "https://go.example.com:abc", "https://[::1",
        "https://%zz", "https://go.example.com\\evil", "http://[::1]evil.example.com",
        "https://[go.example.com]", "https://go.example.com:1234567"})
    void refusesAddressesThatTheKeyMustNotBeSentTo(String address) {
        WaymarkException error = assertThrows(
                WaymarkException.class, () -> WaymarkClient.builder(address, "wm_secret").build());
        assertEquals(Kind.INVALID_ADDRESS, error.getKind());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://go.example.com:443/a/", "https://[2001:db8::1]", "https://[2001:db8::1]:8443",
        "HTTPS://go.example.com:"})
    void acceptsAddresses(String address) throws Exception {
        WaymarkClient.builder(address, "wm_secret").sendsEvents(false).build();
    }

    static Arguments[] failures() {
        return new Arguments[] {
            Arguments.of(Kind.UNREACHABLE, new SSLHandshakeException("aborted: Connection reset by peer")),
            Arguments.of(Kind.UNREACHABLE, new SSLHandshakeException("Connection closed by peer")),
            Arguments.of(Kind.UNREACHABLE, caused(new SSLHandshakeException("x"), new SSLProtocolException("x"))),
            Arguments.of(Kind.UNREACHABLE, new ConnectException("connect failed: ENETUNREACH")),
            Arguments.of(Kind.NOT_TRUSTED, new SSLPeerUnverifiedException("Hostname not verified")),
            Arguments.of(Kind.NOT_TRUSTED, caused(new SSLHandshakeException("x"), new CertificateException("x"))),
            Arguments.of(Kind.TIMED_OUT, new SocketTimeoutException("x")),
        };
    }

    private static IOException caused(IOException error, Throwable cause) {
        error.initCause(cause);
        return error;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void takesNoBrokenHandshakeForAWrongCertificate(Kind kind, IOException thrown) throws Exception {
        assertEquals(kind, UrlConnectionTransport.failure(thrown).getKind());
        assertSame(thrown, UrlConnectionTransport.failure(thrown).getCause());
    }

    @Test
    void reportsWhatATransportOfTheAppThrows() throws Exception {
        List<WaymarkException> errors = new ArrayList<>();
        WaymarkClient client = WaymarkClient.builder("https://go.example.com", "wm_x").executor(Runnable::run)
                .transport(request -> {
                    throw new IllegalStateException("wm_x");
                }).sendsEvents(false).build();
        client.resolve("https://go.example.com/a", link -> {}, errors::add);
        assertEquals(Kind.UNEXPECTED_ANSWER, errors.get(0).getKind());
        assertFalse(errors.get(0).getMessage().contains("wm_x"));
    }

    @Test
    void leavesOutANumberThatNoDoubleHolds() throws Exception {
        try (StandInServer server = StandInServer.answering(StandInServer.json(200,
                "{\"routeParameters\":{\"a\":1e999,\"b\":1e3},\"redeem\":{\"used\":0}}"))) {
            assertEquals(Collections.singletonMap("b", "1000"),
                    client(server, 10_000).resolve("https://a.example/b").getRouteParameters());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Foo, 06 Nov 2099 08:49:37 GMT", "Sun, 6 Nov 2099 8:0:0 GMT",
        "Sat, 31 Feb 2099 08:49:60 GMT", "Fri,  06 Nov 2099 8:49:37 GMT", "Sun, 06 Nov 2099 08:49:37 GMT", "+1", "1.5"})
    void ignoresARetryAfterThatIsNoDate(String text) {
        assertEquals(-1, RetryAfter.read(text, 0));
    }

    @Test
    void readsRetryAfter() {
        assertEquals(37_000, RetryAfter.read("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_740_000L));
        assertEquals(86_400_000, RetryAfter.read("Fri, 06 Nov 2099 08:49:37 GMT", 0));
        assertEquals(86_400_000, RetryAfter.read("Tue, 29 Feb 2028 00:00:00 GMT", 0));
        assertEquals(-1, RetryAfter.read("Mon, 29 Feb 2027 00:00:00 GMT", 0));
        assertEquals(3_000, RetryAfter.read(" 3 ", 0));
    }

    @Test
    void refusesInvalidKeys() {
        for (String key : Arrays.asList("", "a b", "a\nb", "ä")) {
            WaymarkException error = assertThrows(
                    WaymarkException.class, () -> WaymarkClient.builder("https://go.example.com", key).build());
            assertEquals(Kind.INVALID_KEY, error.getKind());
        }
    }
}
