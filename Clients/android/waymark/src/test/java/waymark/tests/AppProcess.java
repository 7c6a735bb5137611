package waymark.tests;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import waymark.client.WaymarkClient;
import waymark.client.routing.Deeplinking;
import waymark.client.storage.FileStorage;

/** An app in a JVM of its own, which is killed. */
public final class AppProcess {
    private AppProcess() {}

    /** {@code record URL FOLDER CLICK…}, {@code write URL FOLDER}, {@code resolve URL FOLDER SMARTLINK} or {@code
     * hold URL FOLDER REFERRER}. */
    public static void main(String[] arguments) throws Exception {
        WaymarkClient client = WaymarkClient.builder(arguments[1], Service.KEY).app("shop")
                .allowsPlainLoopback(true).storage(new FileStorage(new File(arguments[2])))
                .sendsEvents(arguments[0].equals("record")).build();
        if (arguments[0].equals("record")) {
            for (int index = 3; index < arguments.length; index++) client.recordOpen(arguments[index]);
            System.out.println("recorded");
        } else if (arguments[0].equals("write")) {
            int limit = arguments.length > 3 ? Integer.parseInt(arguments[3]) : Integer.MAX_VALUE;
            for (int count = 1; count <= limit; count++) {
                client.recordOpen("c" + count);
                System.out.println(count);
            }
        } else if (arguments[0].equals("hold")) {
            // The person has not signed in.
            Deeplinking router = new Deeplinking(client, "shop");
            router.map("products/:product_id", deeplink -> System.out.println("shown"));
            router.addFilter(deeplink -> false);
            // However busy the machine is.
            router.setOpeningTimeLimit(600_000);
            router.openDeferred(() -> arguments[3], null, result -> System.out.println(result.getOutcome()));
        } else {
            System.out.println("resolving");
            client.resolve(arguments[3]);
        }
        Thread.currentThread().join();
    }

    /** An app that has got its deferred link, holds it back for a sign-in, and is killed. */
    static void holdAndDie(String url, File folder, String referrer) throws Exception {
        Process app = start("hold", url, folder.getPath(), referrer);
        awaitLine(app, "NOT_OPENED");
        app.destroyForcibly().waitFor();
    }

    private static Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp", System.getProperty("java.class.path"), AppProcess.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    static void recordAndDie(String url, File folder, Set<String> clicks) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("record", url, folder.getPath()));
        arguments.addAll(clicks);
        Process app = start(arguments.toArray(new String[0]));
        awaitLine(app, "recorded");
        app.destroyForcibly().waitFor();
    }

    /** An app that has stored an event in the folder, until it is closed. */
    static java.io.Closeable holding(File folder) throws Exception {
        Process app = start("write", "http://localhost:1", folder.getPath(), "1");
        awaitLine(app, "1");
        return () -> {
            app.destroyForcibly();
            app.onExit().join();
        };
    }

    /** Kills an app that records without a pause, after so many events. */
    static void writeAndDie(File folder, int count) throws Exception {
        Process app = start("write", "http://localhost:1", folder.getPath());
        awaitLine(app, Integer.toString(count));
        app.destroyForcibly().waitFor();
    }

    /** The service gets the request through a proxy, which keeps the response to itself until the app is dead. */
    static void resolveAndDieBeforeTheAnswer(Service service, File folder, String smartlink) throws Exception {
        try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process app = start("resolve", "http://localhost:" + proxy.getLocalPort(), folder.getPath(), smartlink);
            try (Socket fromApp = proxy.accept(); Socket toService = new Socket("127.0.0.1", service.port)) {
                Thread request = new Thread(() -> copy(fromApp, toService));
                request.start();
                // The first byte of the response comes after the redeem is stored.
                toService.getInputStream().read();
                app.destroyForcibly().waitFor();
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        byte[] block = new byte[4096];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int count = input.read(block); count >= 0; count = input.read(block)) output.write(block, 0, count);
        } catch (IOException error) {
            // The app is dead.
        }
    }

    private static void awaitLine(Process process, String line) throws IOException {
        BufferedReader reader = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String text = reader.readLine(); !line.equals(text); text = reader.readLine()) {
            if (text == null) throw new IOException("the app ended");
        }
    }
}
