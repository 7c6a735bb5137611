package waymark.client.android;

import android.content.Context;
import android.os.Build;
import androidx.annotation.NonNull;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import waymark.client.ClientSettings;
import waymark.client.WaymarkClient;
import waymark.client.storage.ClientStorage;
import waymark.client.storage.FileStorage;
import waymark.client.transport.UrlConnectionTransport;

/** Begins a client with Android's parts: storage in the app's folder, callbacks on the main thread. */
public final class AndroidClient {
    private AndroidClient() {}

    /**
     * The state is in the folder {@code waymark} of {@code getNoBackupFilesDir()}: a device that is restored from a
     * backup is a new installation. It belongs to the app's main process; in others the client keeps events in memory
     * and claims nothing.
     *
     * @param context any context of the app
     * @param service the service's URL, such as {@code https://go.example.com}
     * @param key an API key with the scopes for apps only ({@code resolve}, {@code create})
     */
    @NonNull
    public static ClientSettings builder(@NonNull Context context, @NonNull String service, @NonNull String key) {
        Context app = context.getApplicationContext();
        String main = app.getApplicationInfo().processName;
        // The system may have cut a long name.
        boolean isMain = main == null || main.startsWith(processName());
        ClientStorage storage = isMain
                ? new FileStorage(new File(app.getNoBackupFilesDir(), "waymark")) : new UnreadableStorage();
        return WaymarkClient.builder(service, key)
                .system("Android " + Build.VERSION.RELEASE)
                .storage(storage)
                .callbackExecutor(new MainThreadExecutor())
                .transport(new NetworkAwareTransport(app, new UrlConnectionTransport()));
    }

    /** The name of this process, which Android sets; empty if it can't be read. */
    private static String processName() {
        byte[] name = new byte[256];
        try (FileInputStream input = new FileInputStream("/proc/self/cmdline")) {
            int length = 0;
            int count = Math.max(0, input.read(name));
            while (length < count && name[length] != 0) length++;
            return new String(name, 0, length, StandardCharsets.UTF_8);
        } catch (IOException error) {
            return "";
        }
    }

    /** The state of another process. */
    private static final class UnreadableStorage implements ClientStorage {
        @Override
        public byte[] read(@NonNull String name) throws IOException {
            throw new IOException("the state is that of the main process");
        }

        @Override
        public void write(@NonNull String name, @NonNull byte[] bytes) throws IOException {
            read(name);
        }

        @Override
        public void setAside(@NonNull String name) throws IOException {
            read(name);
        }
    }
}
