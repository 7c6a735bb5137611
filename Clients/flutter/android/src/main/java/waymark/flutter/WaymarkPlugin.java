package waymark.flutter;

import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import io.flutter.embedding.engine.plugins.FlutterPlugin;
import io.flutter.embedding.engine.plugins.activity.ActivityAware;
import io.flutter.embedding.engine.plugins.activity.ActivityPluginBinding;
import io.flutter.plugin.common.EventChannel;
import io.flutter.plugin.common.MethodCall;
import io.flutter.plugin.common.MethodChannel;
import io.flutter.plugin.common.PluginRegistry;
import java.io.File;

/** Connects the client in Dart with Android: links of intents, the network, Play's install referrer. */
public final class WaymarkPlugin
        implements FlutterPlugin,
                ActivityAware,
                MethodChannel.MethodCallHandler,
                PluginRegistry.NewIntentListener,
                ActivityPluginBinding.OnSaveInstanceStateListener {
    /**
     * Marks an intent whose link was delivered, and names that link in the state of the activity: one that is made
     * again gets the same intent, after the end of the process without the mark.
     */
    private static final String DELIVERED = "waymark.delivered";

    private final LinkStream links = new LinkStream();
    private Context context;
    private MethodChannel calls;
    private EventChannel linkChannel;
    private EventChannel networkChannel;
    private ActivityPluginBinding activity;
    /** The link that the activity was started with, once it is delivered. */
    private String delivered;
    /** The activity's intent until its state is restored. */
    private Intent pending;

    @Override
    public void onAttachedToEngine(@NonNull FlutterPluginBinding binding) {
        context = binding.getApplicationContext();
        calls = new MethodChannel(binding.getBinaryMessenger(), "waymark");
        calls.setMethodCallHandler(this);
        linkChannel = new EventChannel(binding.getBinaryMessenger(), "waymark/links");
        linkChannel.setStreamHandler(links);
        networkChannel = new EventChannel(binding.getBinaryMessenger(), "waymark/network");
        networkChannel.setStreamHandler(new NetworkStream(context));
    }

    @Override
    public void onDetachedFromEngine(@NonNull FlutterPluginBinding binding) {
        calls.setMethodCallHandler(null);
        linkChannel.setStreamHandler(null);
        networkChannel.setStreamHandler(null);
    }

    @Override
    public void onMethodCall(@NonNull MethodCall call, @NonNull MethodChannel.Result result) {
        switch (call.method) {
            case "folder":
                // Not part of backups: a restored device is a new installation.
                result.success(new File(context.getNoBackupFilesDir(), "waymark").getPath());
                break;
            case "waitingLinks":
                result.success(links.take());
                break;
            case "installReferrer":
                new ReferrerReader(context, result).start();
                break;
            default:
                result.notImplemented();
        }
    }

    @Override
    public void onAttachedToActivity(@NonNull ActivityPluginBinding binding) {
        delivered = null;
        attach(binding);
    }

    private void attach(ActivityPluginBinding binding) {
        activity = binding;
        binding.addOnNewIntentListener(this);
        binding.addOnSaveStateListener(this);
        Intent intent = binding.getActivity().getIntent();
        pending = intent;
        // Flutter restores the state in the same message, unless the plugin was added to the engine later.
        new Handler(Looper.getMainLooper()).post(() -> {
            if (pending == intent) deliverPending();
        });
    }

    @Override
    public void onDetachedFromActivity() {
        activity.removeOnNewIntentListener(this);
        activity.removeOnSaveStateListener(this);
        activity = null;
        pending = null;
    }

    @Override
    public void onSaveInstanceState(@NonNull Bundle bundle) {
        if (delivered != null) bundle.putString(DELIVERED, delivered);
    }

    @Override
    public void onRestoreInstanceState(@Nullable Bundle bundle) {
        String earlier = bundle == null ? null : bundle.getString(DELIVERED);
        if (earlier != null) delivered = earlier;
        deliverPending();
    }

    /** The link that the activity was started with, unless it was delivered before the process ended. */
    private void deliverPending() {
        Intent intent = pending;
        pending = null;
        if (intent == null || delivered != null && delivered.equals(intent.getDataString())) return;
        if (deliver(intent)) delivered = intent.getDataString();
    }

    @Override
    public void onReattachedToActivityForConfigChanges(@NonNull ActivityPluginBinding binding) {
        attach(binding);
    }

    @Override
    public void onDetachedFromActivityForConfigChanges() {
        onDetachedFromActivity();
    }

    /** Returns false: other plugins may want the intent too. */
    @Override
    public boolean onNewIntent(@NonNull Intent intent) {
        // It is newer than the one of the start.
        deliverPending();
        deliver(intent);
        return false;
    }

    private boolean deliver(Intent intent) {
        if (intent == null || !Intent.ACTION_VIEW.equals(intent.getAction())) return false;
        String link = intent.getDataString();
        boolean isFromRecents = (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
        if (link == null || isFromRecents) return false;
        try {
            if (intent.getBooleanExtra(DELIVERED, false)) return false;
            intent.putExtra(DELIVERED, true);
        } catch (RuntimeException error) {
            // The extras of a hostile intent may not be readable; its link is still a link.
        }
        links.add(link);
        return true;
    }
}
