import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
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

    /** The binding of an activity with the intent. */
    private static final class Binding implements ActivityPluginBinding {
        private final Activity activity;
        OnSaveInstanceStateListener state;

        Binding(Intent intent) {
            activity = new Activity(intent);
        }

        @Override
        public Activity getActivity() {
            return activity;
        }

        @Override
        public void addOnNewIntentListener(NewIntentListener listener) {}

        @Override
        public void removeOnNewIntentListener(NewIntentListener listener) {}

        @Override
        public void addOnSaveStateListener(OnSaveInstanceStateListener listener) {
            state = listener;
        }

        @Override
        public void removeOnSaveStateListener(OnSaveInstanceStateListener listener) {
            state = null;
        }

        /** What the system keeps of the activity. */
        Bundle saved() {
            Bundle bundle = new Bundle();
            state.onSaveInstanceState(bundle);
            return bundle;
        }
    }

    private static Binding attach(WaymarkPlugin plugin, Intent intent, Bundle saved) {
        Binding binding = new Binding(intent);
        plugin.onAttachedToActivity(binding);
        // Flutter restores the state of each activity, null without one.
        binding.state.onRestoreInstanceState(saved);
        Handler.runPosted();
        return binding;
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
        WaymarkPlugin plugin = plugin(context, messenger);
        List<Object> links = new ArrayList<>();

        Intent first = view("https://go.example.com/first", 0);
        Binding activity = attach(plugin, first, null);
        // The activity is made again, for example by a rotation.
        Bundle rotated = activity.saved();
        plugin.onDetachedFromActivityForConfigChanges();
        activity = new Binding(first);
        plugin.onReattachedToActivityForConfigChanges(activity);
        activity.state.onRestoreInstanceState(rotated);
        Handler.runPosted();
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

        // The process has ended: the system makes the activity again with the intent of its start.
        Bundle saved = activity.saved();
        WaymarkPlugin later = plugin(context, messenger);
        activity = attach(later, view("https://go.example.com/first", 0), saved);
        call(messenger, "waitingLinks", List.of());
        // And again, after another link has come.
        later.onNewIntent(view("shop://products/8", 0));
        call(messenger, "waitingLinks", List.of("shop://products/8"));
        saved = activity.saved();
        later = plugin(context, messenger);
        attach(later, view("https://go.example.com/first", 0), saved);
        call(messenger, "waitingLinks", List.of());
        // Another activity of the same engine.
        later.onDetachedFromActivity();
        attach(later, view("https://go.example.com/first", 0), null);
        call(messenger, "waitingLinks", List.of("https://go.example.com/first"));

        // A plugin that is added after the activity's state was restored.
        later = plugin(context, messenger);
        later.onAttachedToActivity(new Binding(view("shop://products/1", 0)));
        call(messenger, "waitingLinks", List.of());
        Handler.runPosted();
        call(messenger, "waitingLinks", List.of("shop://products/1"));
        later = plugin(context, messenger);
        later.onAttachedToActivity(new Binding(view("shop://products/1", 0)));
        later.onNewIntent(view("shop://products/2", 0));
        Handler.runPosted();
        call(messenger, "waitingLinks", List.of("shop://products/1", "shop://products/2"));

        call(messenger, "folder", "/data/no_backup/waymark");
        call(messenger, "other", "notImplemented");
        System.out.println("The plugin's Java does what it says.");
    }

    private static WaymarkPlugin plugin(Context context, BinaryMessenger messenger) {
        WaymarkPlugin plugin = new WaymarkPlugin();
        plugin.onAttachedToEngine(new FlutterPluginBinding(context, messenger));
        return plugin;
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
