package waymark.client.android;

import android.app.Activity;
import android.app.Application;
import android.content.Intent;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import androidx.core.app.OnNewIntentProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import waymark.client.InstallReferrer;
import waymark.client.OnNullableResult;
import waymark.client.routing.Deeplinking;
import waymark.client.routing.OpenResult;

/**
 * Opens the links of an app's activities without an override in any of them. In {@code Application.onCreate}:
 *
 * <pre>{@code
 * ActivityLinks.register(this, deeplinking, MainActivity.class)
 *         .openDeferred(new PlayInstallReferrer(this), result -> {});
 * }</pre>
 *
 * <p>A link opens when its activity starts, after {@code onCreate}. Further links arrive in activities of androidx
 * ({@code ComponentActivity}, {@code AppCompatActivity}: {@code OnNewIntentProvider} of androidx.core 1.8.0) by
 * themselves; another activity calls {@code setIntent(intent)} in {@code onNewIntent}, as is usual. A link that waits for
 * the service is kept in the activity's saved state, and one that could not be resolved is resolved when the device has
 * a network again.
 */
public final class ActivityLinks implements Application.ActivityLifecycleCallbacks {
    /** What is known of an activity. It must not lead to the activity, which would never be released. */
    private static final class State {
        final Bundle saved;
        boolean isStarted;
        /** The last two intents that were handled: an activity may keep the first one when it gets another. */
        Intent first;
        Intent latest;

        State(Bundle saved) {
            this.saved = saved;
        }
    }

    private final Deeplinking deeplinking;
    private final List<Class<? extends Activity>> types;
    private final Map<Activity, State> states = new WeakHashMap<>();

    private InstallReferrer referrer;
    /** Null without a claim to make. */
    private OnNullableResult<OpenResult> onDeferred;

    private ActivityLinks(Deeplinking deeplinking, List<Class<? extends Activity>> types) {
        this.deeplinking = deeplinking;
        this.types = types;
    }

    /**
     * @param activities those with the intent filters for links, and their subclasses. No others: an activity of
     *     another library may be started with a URL that is not a link of the app.
     * @return for {@code Application.unregisterActivityLifecycleCallbacks}
     * @throws IllegalArgumentException without an activity
     */
    @SafeVarargs
    @NonNull
    public static ActivityLinks register(@NonNull Application application, @NonNull Deeplinking deeplinking,
            @NonNull Class<? extends Activity>... activities) {
        if (activities.length == 0) throw new IllegalArgumentException("name the activities that links start");
        List<Class<? extends Activity>> types = new ArrayList<>();
        for (Class<? extends Activity> activity : activities) types.add(activity);
        ActivityLinks links = new ActivityLinks(deeplinking, types);
        application.registerActivityLifecycleCallbacks(links);
        NetworkReturn.register(application, deeplinking);
        return links;
    }

    /**
     * Claims and opens the deferred deep link once the first of the activities has started, and so after its own link,
     * which takes precedence.
     *
     * @param referrer such as {@code new PlayInstallReferrer(context)}; null without a store
     * @param onResult receives the outcome; null if there is no deferred deep link
     * @see Deeplinking#openDeferred
     */
    @NonNull
    public ActivityLinks openDeferred(@Nullable InstallReferrer referrer,
            @NonNull OnNullableResult<OpenResult> onResult) {
        this.referrer = referrer;
        onDeferred = onResult;
        return this;
    }

    @Override
    public void onActivityCreated(@NonNull Activity activity, @Nullable Bundle savedInstanceState) {
        for (Class<? extends Activity> type : types) {
            if (!type.isInstance(activity)) continue;
            State state = new State(savedInstanceState);
            states.put(activity, state);
            try {
                Listening.to(activity, intent -> open(state, intent));
            } catch (LinkageError error) {
                // The app has no androidx.core, so the activity has no such interface.
            }
            return;
        }
    }

    @Override
    public void onActivityStarted(@NonNull Activity activity) {
        State state = states.get(activity);
        if (state == null || state.isStarted) return;
        state.isStarted = true;
        // Another intent may have come between onCreate and onStart.
        if (state.latest == null) {
            state.first = activity.getIntent();
            deeplinking.open(state.first, state.saved);
        }
        OnNullableResult<OpenResult> onResult = onDeferred;
        onDeferred = null;
        if (onResult != null) deeplinking.openDeferred(referrer, null, onResult);
    }

    @Override
    public void onActivityResumed(@NonNull Activity activity) {
        State state = states.get(activity);
        if (state != null) open(state, activity.getIntent());
    }

    private void open(State state, Intent intent) {
        if (intent == null || intent == state.first || intent == state.latest) return;
        state.latest = intent;
        deeplinking.open(intent);
    }

    @Override
    public void onActivitySaveInstanceState(@NonNull Activity activity, @NonNull Bundle outState) {
        if (states.containsKey(activity)) deeplinking.save(outState);
    }

    @Override
    public void onActivityDestroyed(@NonNull Activity activity) {
        states.remove(activity);
    }

    @Override
    public void onActivityPaused(@NonNull Activity activity) {}

    @Override
    public void onActivityStopped(@NonNull Activity activity) {}

    private interface IntentReceiver {
        void receive(Intent intent);
    }

    /** A class of its own, because androidx.core need not be in the app. */
    private static final class Listening {
        private Listening() {}

        static void to(Activity activity, IntentReceiver receiver) {
            if (activity instanceof OnNewIntentProvider) {
                ((OnNewIntentProvider) activity).addOnNewIntentListener(receiver::receive);
            }
        }
    }
}
