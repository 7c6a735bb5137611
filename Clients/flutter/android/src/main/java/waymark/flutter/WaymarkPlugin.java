package waymark.flutter;

import android.content.Context;
import android.content.Intent;
import androidx.annotation.NonNull;
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
                PluginRegistry.NewIntentListener {
    /** Marks an intent whose link was delivered: an activity that is made again gets the same intent. */
    private static final String DELIVERED = "waymark.delivered";

    private final LinkStream links = new LinkStream();
    private Context context;
    private MethodChannel calls;
    private EventChannel linkChannel;
    private EventChannel networkChannel;
    private ActivityPluginBinding activity;

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
        activity = binding;
        binding.addOnNewIntentListener(this);
        deliver(binding.getActivity().getIntent());
    }

    @Override
    public void onDetachedFromActivity() {
        activity.removeOnNewIntentListener(this);
        activity = null;
    }

    @Override
    public void onReattachedToActivityForConfigChanges(@NonNull ActivityPluginBinding binding) {
        onAttachedToActivity(binding);
    }

    @Override
    public void onDetachedFromActivityForConfigChanges() {
        onDetachedFromActivity();
    }

    /** Returns false: other plugins may want the intent too. */
    @Override
    public boolean onNewIntent(@NonNull Intent intent) {
        deliver(intent);
        return false;
    }

    private void deliver(Intent intent) {
        if (intent == null || !Intent.ACTION_VIEW.equals(intent.getAction())) return;
        String link = intent.getDataString();
        boolean isFromRecents = (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
        if (link == null || isFromRecents) return;
        try {
            if (intent.getBooleanExtra(DELIVERED, false)) return;
            intent.putExtra(DELIVERED, true);
        } catch (RuntimeException error) {
            // The extras of a hostile intent may not be readable; its link is still a link.
        }
        links.add(link);
    }
}
