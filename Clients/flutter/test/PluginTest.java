import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import io.flutter.embedding.engine.plugins.FlutterPlugin.FlutterPluginBinding;
import io.flutter.embedding.engine.plugins.activity.ActivityPluginBinding;
import io.flutter.plugin.common.BinaryMessenger;
import io.flutter.plugin.common.MethodCall;
import io.flutter.plugin.common.MethodChannel;
import io.flutter.plugin.common.PluginRegistry.NewIntentListener;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import waymark.flutter.WaymarkPlugin;

/** Plays the plugin against the stand-ins of `stubs/java`. */
public final class PluginTest {
    private static final int RECENTS = Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY;

    private static Intent view(String link, int flags) {
        return new Intent(Intent.ACTION_VIEW, link, flags);
    }

    private static ActivityPluginBinding binding(Intent intent) {
        return new ActivityPluginBinding() {
            @Override
            public Activity getActivity() {
                return new Activity(intent);
            }

            @Override
            public void addOnNewIntentListener(NewIntentListener listener) {}

            @Override
            public void removeOnNewIntentListener(NewIntentListener listener) {}
        };
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", not " + actual);
    }

    public static void main(String[] arguments) {
        BinaryMessenger messenger = new BinaryMessenger();
        Context context = new Context() {
            @Override
            public File getNoBackupFilesDir() {
                return new File("/data/no_backup");
            }

            @Override
            public Object getSystemService(String name) {
                return null;
            }
        };
        WaymarkPlugin plugin = new WaymarkPlugin();
        plugin.onAttachedToEngine(new FlutterPluginBinding(context, messenger));
        List<Object> links = new ArrayList<>();

        Intent first = view("https://go.example.com/first", 0);
        plugin.onAttachedToActivity(binding(first));
        // The activity is made again, for example by a rotation.
        plugin.onReattachedToActivityForConfigChanges(binding(first));
        expect(List.of(), links);
        messenger.streams.get("waymark/links").onListen(null, links::add);
        expect(List.of("https://go.example.com/first"), links);

        messenger.streams.get("waymark/links").onCancel(null);
        plugin.onNewIntent(view("shop://products/1", 0));
        call(messenger, "waitingLinks", List.of("shop://products/1"));
        call(messenger, "waitingLinks", List.of());
        messenger.streams.get("waymark/links").onListen(null, links::add);

        plugin.onNewIntent(view("https://go.example.com/recents", RECENTS));
        plugin.onNewIntent(new Intent("android.intent.action.SEND", "https://go.example.com/sent", 0));
        plugin.onNewIntent(view(null, 0));
        expect(false, plugin.onNewIntent(view("shop://products/7", 0)));
        expect(List.of("https://go.example.com/first", "shop://products/7"), links);

        call(messenger, "folder", "/data/no_backup/waymark");
        call(messenger, "other", "notImplemented");
        System.out.println("The plugin's Java does what it says.");
    }

    private static void call(BinaryMessenger messenger, String method, Object expected) {
        List<Object> results = new ArrayList<>();
        messenger.calls.onMethodCall(new MethodCall(method), new MethodChannel.Result() {
            @Override
            public void success(Object value) {
                results.add(value);
            }

            @Override
            public void error(String code, String message, Object details) {
                results.add(code);
            }

            @Override
            public void notImplemented() {
                results.add("notImplemented");
            }
        });
        expect(List.of(expected), results);
    }
}
