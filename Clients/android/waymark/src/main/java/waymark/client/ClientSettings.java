package waymark.client;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import waymark.client.internal.SystemClockAndRandomness;
import waymark.client.storage.ClientStorage;
import waymark.client.storage.MemoryStorage;
import waymark.client.transport.DaemonThreads;
import waymark.client.transport.HttpTransport;
import waymark.client.transport.UrlConnectionTransport;

/** The settings of a client, and {@link #build()}, which makes it. Get one from {@code AndroidClient.builder}. */
public final class ClientSettings implements Cloneable {
    final String service;
    final String key;
    String app;
    String platform = "android";
    String appVersion;
    List<String> domains = new ArrayList<>();
    ClientStorage storage = new MemoryStorage();
    HttpTransport transport;
    Executor executor;
    /** On the thread that has the response. */
    Executor callbackExecutor = Runnable::run;
    RetryPolicy retry = new RetryPolicy();
    long timeLimit = 15_000;
    int answerLimit = 256 * 1_024;
    int eventLimit = 500;
    long eventAge = 6 * 86_400;
    boolean sendsEvents = true;
    boolean allowsPlainLoopback;
    OnResult<LinkDiagnostic> onDiagnostic = diagnostic -> {};
    /** Such as {@code Android 15}. */
    String system = System.getProperty("os.name", "Java");
    Clock clock = new SystemClockAndRandomness();
    Randomness randomness = new SystemClockAndRandomness();

    ClientSettings(String service, String key) {
        this.service = service;
        this.key = key;
    }

    /** The application's ID at the service. Claims require it. */
    @NonNull
    public ClientSettings app(@Nullable String app) {
        this.app = app;
        return this;
    }

    /** The platform that links are resolved for. Default: {@code android}. */
    @NonNull
    public ClientSettings platform(@NonNull String platform) {
        this.platform = platform;
        return this;
    }

    /**
     * The app's version: its version code, or numbers with dots. If set, the service says when a link requires a newer
     * one.
     */
    @NonNull
    public ClientSettings appVersion(@Nullable String version) {
        appVersion = version;
        return this;
    }

    /** The hosts of the app's smart links, such as {@code go.example.com}. Default: the service's host. */
    @NonNull
    public ClientSettings domains(@NonNull Collection<String> domains) {
        this.domains = new ArrayList<>(domains);
        return this;
    }

    /** Where the client stores its state. Default: in memory; {@code AndroidClient} sets a folder of the app. */
    @NonNull
    public ClientSettings storage(@NonNull ClientStorage storage) {
        this.storage = storage;
        return this;
    }

    /** Sends the requests. Default: {@link UrlConnectionTransport}. */
    @NonNull
    public ClientSettings transport(@NonNull HttpTransport transport) {
        this.transport = transport;
        return this;
    }

    /** Runs requests, which block and wait between attempts. Default: up to eight daemon threads. */
    @NonNull
    public ClientSettings executor(@NonNull Executor executor) {
        this.executor = executor;
        return this;
    }

    /** Runs callbacks. Default: the thread that has the response; {@code AndroidClient} sets the main thread. */
    @NonNull
    public ClientSettings callbackExecutor(@NonNull Executor executor) {
        callbackExecutor = executor;
        return this;
    }

    @NonNull
    public ClientSettings retry(@NonNull RetryPolicy retry) {
        this.retry = retry;
        return this;
    }

    /** The time limit of one attempt in milliseconds. Default: 15 seconds. */
    @NonNull
    public ClientSettings timeLimitMillis(long milliseconds) {
        timeLimit = Math.max(1, milliseconds);
        return this;
    }

    /** The maximum size of a response's body in bytes. Default: 256 KiB. */
    @NonNull
    public ClientSettings answerLimit(int bytes) {
        answerLimit = Math.max(0, bytes);
        return this;
    }

    /** The maximum number of waiting events. Default: 500. The oldest are dropped. */
    @NonNull
    public ClientSettings eventLimit(int count) {
        eventLimit = count;
        return this;
    }

    /** The maximum age of a waiting event in seconds. Default: six days; the service knows events for seven. */
    @NonNull
    public ClientSettings eventAgeSeconds(long seconds) {
        eventAge = seconds;
        return this;
    }

    /** Whether events are sent by themselves. Default: true. If not, call {@code flush}. */
    @NonNull
    public ClientSettings sendsEvents(boolean sends) {
        sendsEvents = sends;
        return this;
    }

    /** Whether {@code http} is accepted for a service on the device itself, for tests. Default: false. */
    @NonNull
    public ClientSettings allowsPlainLoopback(boolean allows) {
        allowsPlainLoopback = allows;
        return this;
    }

    /**
     * Receives each request, response and retry, without values and keys, on the thread that sends. Also for {@code
     * Deeplinking.setOnDiagnostic}.
     */
    @NonNull
    public ClientSettings onDiagnostic(@NonNull OnResult<LinkDiagnostic> onDiagnostic) {
        this.onDiagnostic = onDiagnostic;
        return this;
    }

    /** The name and version of the system, for {@code User-Agent}. {@code AndroidClient} sets it. */
    @NonNull
    public ClientSettings system(@NonNull String system) {
        this.system = system;
        return this;
    }

    String userAgent() {
        StringBuilder visible = new StringBuilder();
        for (int index = 0; index < Math.min(system.length(), 100); index++) {
            char unit = system.charAt(index);
            boolean isSafe = unit >= ' ' && unit < 0x7F && unit != '(' && unit != ')' && unit != '\\';
            visible.append(isSafe ? unit : '_');
        }
        return "WaymarkAndroid/" + WaymarkClient.VERSION + " (" + visible.toString().trim() + ")";
    }

    /** For tests. */
    @NonNull
    public ClientSettings clock(@NonNull Clock clock) {
        this.clock = clock;
        return this;
    }

    /** For tests. */
    @NonNull
    public ClientSettings randomness(@NonNull Randomness randomness) {
        this.randomness = randomness;
        return this;
    }

    /**
     * Makes the client. Events that are waiting are sent from now on.
     *
     * @throws IllegalArgumentException if a domain is not a host
     * @throws WaymarkException {@code INVALID_ADDRESS} or {@code INVALID_KEY}, with the reason
     */
    @NonNull
    public WaymarkClient build() throws WaymarkException {
        if (transport == null) transport = new UrlConnectionTransport();
        if (executor == null) executor = DaemonThreads.bounded("waymark", 8);
        try {
            // Later changes of these settings are for the next client.
            return new WaymarkClient((ClientSettings) clone());
        } catch (CloneNotSupportedException error) {
            throw new IllegalStateException(error);
        }
    }

    /**
     * Like {@link #build()}, for {@code Application.onCreate}, where an invalid service or key is a mistake of the app.
     *
     * @throws IllegalArgumentException with the reason
     */
    @NonNull
    public WaymarkClient buildUnchecked() {
        try {
            return build();
        } catch (WaymarkException error) {
            throw new IllegalArgumentException(error.getMessage(), error);
        }
    }

    /** Without the key. */
    @Override
    @NonNull
    public String toString() {
        return "ClientSettings(" + service + ", app: " + app + ", platform: " + platform + ")";
    }
}
