package waymark.client.android;

import android.content.Intent;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.List;
import waymark.client.url.DeepLinkUrl;

/**
 * Finds the link of an intent. Any app can start an exported activity with any intent, so only its action, data and
 * flags are read: extras may hold objects that fail, or worse, when they are read.
 */
public final class IntentLinks {
    /** In characters. Links are shorter; longer texts are attempts to waste time. */
    private static final int LENGTH_LIMIT = 16 * 1024;

    /** The intent that was opened last: a rotated activity receives the same object again. */
    private WeakReference<Intent> last = new WeakReference<>(null);

    /**
     * The link to open; null if there is none or it was opened before.
     *
     * @param savedInstanceState not null if the activity was recreated
     * @param schemes the app's own schemes; if there are none, only web links count
     */
    @Nullable
    public String url(@Nullable Intent intent, @Nullable Bundle savedInstanceState, @NonNull List<String> schemes) {
        if (intent == null || savedInstanceState != null || last.get() == intent) return null;
        String text = link(intent);
        if (text == null || !isOurs(new DeepLinkUrl(text), schemes)) return null;
        last = new WeakReference<>(intent);
        return text;
    }

    /** The URL of an intent that shows one; null for any other, and if the URL was opened before. */
    @Nullable
    public static String link(@Nullable Intent intent) {
        if (intent == null || !Intent.ACTION_VIEW.equals(intent.getAction())) return null;
        // Started from the list of recent apps: the system repeats the intent of the first start.
        if ((intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0) return null;
        String text = intent.getDataString();
        return text == null || text.length() > LENGTH_LIMIT ? null : text;
    }

    private static boolean isOurs(DeepLinkUrl url, List<String> schemes) {
        if (url.isWeb()) return url.getHost() != null && !url.getHost().isEmpty();
        for (String scheme : schemes) if (scheme.equalsIgnoreCase(url.getScheme())) return true;
        return false;
    }
}
