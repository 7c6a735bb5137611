package waymark.tests;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import waymark.client.ClientSettings;
import waymark.client.WaymarkClient;
import waymark.client.json.Json;

/** The service's program, from WAYMARK_PROGRAM, with a database of its own. */
public final class Service implements AutoCloseable {
    public static final String KEY = "wm_android0123456789abcdefghijABCDEFGHIJ";
    private static final String ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 "
            + "(KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36";
    private static final String IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 "
            + "(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1";
    private static final String APPLICATIONS = "[{'id':'shop','name':'Shop','domains':[],"
            + "'ios':{'appIDs':['ABCDE12345.com.example.shop'],'urlScheme':'shop','appStoreID':'123456789'},"
            + "'android':{'package':'com.example.shop','urlScheme':'shop'},"
            + "'web':{'baseURL':'https://shop.example.com'},'firebase':{'enabled':true,'longLinks':true},"
            + "'templates':[{'name':'product','route':'products/:product_id','urls':{"
            + "'web':'https://shop.example.com/products/:product_id',"
            + "'ios':{'link':'shop://products/:product_id','fallback':'store'},"
            + "'android':{'link':'shop://products/:product_id','fallback':'store'}}}]}]";

    private final Path folder = Files.createTempDirectory("waymark-android");
    public final int port = freePort();
    public final String url = "http://localhost:" + port;
    private Process process;

    public Service() throws Exception {
        write("apps.json", APPLICATIONS.replace('\'', '"'));
        write("waymark.json", "{\"applications\": \"apps.json\"}");
        start();
    }

    private void write(String name, String text) throws IOException {
        Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Waits until the service answers. */
    public void start() throws Exception {
        String program = System.getenv("WAYMARK_PROGRAM");
        if (program == null) throw new IllegalStateException("set WAYMARK_PROGRAM to the service's program");
        File log = folder.resolve("log").toFile();
        ProcessBuilder builder = new ProcessBuilder(program, "serve", "--config", "waymark.json",
                "--listen", "127.0.0.1:" + port, "--database", "sqlite:" + folder.resolve("waymark.sqlite"))
                .directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().put("WAYMARK_ADMIN_KEY", KEY);
        process = builder.start();
        long end = System.nanoTime() + 30_000_000_000L;
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                get("/readyz", "test");
                return;
            } catch (IOException error) {
                Thread.yield();
            }
        }
        throw new IllegalStateException(new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8));
    }

    /** As {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the service in order, which stores its counts. */
    public void stop() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** A client for the service; with its storage in memory and without sending events by itself. */
    public ClientSettings client() {
        return WaymarkClient.builder(url, KEY).app("shop").allowsPlainLoopback(true).sendsEvents(false);
    }

    /** The response's header fields and body as one text. */
    private String get(String path, String agent) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url + path).openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setRequestProperty("User-Agent", agent);
        connection.setRequestProperty("Authorization", "Bearer " + KEY);
        if (connection.getResponseCode() >= 400) throw new IOException("status " + connection.getResponseCode());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (InputStream input = connection.getInputStream()) {
            byte[] block = new byte[4096];
            for (int count = input.read(block); count >= 0; count = input.read(block)) body.write(block, 0, count);
        }
        return connection.getHeaderField("Location") + "\n" + body.toString("UTF-8");
    }

    /** Clicks on a link as Android does, and returns the app's URL and Play's referrer. */
    public String[] clickOnAndroid(String smartlink) throws Exception {
        String location = get(new URL(smartlink).getFile(), ANDROID);
        Matcher intent = Pattern.compile("intent://([^#]*)#Intent;scheme=([a-z]+)").matcher(location);
        Matcher store = Pattern.compile("S.browser_fallback_url=([^;]*)").matcher(location);
        if (!intent.find() || !store.find()) throw new IllegalStateException(location);
        String fallback = java.net.URLDecoder.decode(store.group(1), "UTF-8");
        String referrer = fallback.substring(fallback.indexOf("referrer=") + "referrer=".length());
        return new String[] {intent.group(2) + "://" + intent.group(1), java.net.URLDecoder.decode(referrer,
                "UTF-8")};
    }

    /** What the page for an iPhone puts on the clipboard. */
    public String copiedLink(String smartlink) throws Exception {
        Matcher copied = Pattern.compile("http://[^\"<> ]*_hk_cid[^\"<> ]*").matcher(
                get(new URL(smartlink).getFile(), IPHONE));
        if (!copied.find()) throw new IllegalStateException("the page copies no link");
        return copied.group();
    }

    /** A count of the link's events, such as {@code opens}. */
    public long total(String smartlink, String name) throws Exception {
        String slug = new URL(smartlink).getPath().substring(1);
        String answer = get("/api/v1/links/localhost/" + slug + "/events", "test");
        Object total = Json.read(answer.substring(answer.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8))
                .getMembers().get("total");
        Map<String, Object> totals = Json.asObject(total);
        return (Long) totals.get(name);
    }
}
