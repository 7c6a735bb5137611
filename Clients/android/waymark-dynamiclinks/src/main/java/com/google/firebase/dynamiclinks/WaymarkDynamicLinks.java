package com.google.firebase.dynamiclinks;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import waymark.client.DeferredDeeplink;
import waymark.client.InstallReferrer;
import waymark.client.OnFailure;
import waymark.client.OnNullableResult;
import waymark.client.OnResult;
import waymark.client.ResolvedLink;
import waymark.client.WaymarkClient;
import waymark.client.android.IntentLinks;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.LinkHosts;
import waymark.client.url.ServiceParameters;

/**
 * Makes Firebase's names work: call {@link #setUp} once, in the application's {@code onCreate}, in place of what
 * {@code google-services.json} did.
 */
public final class WaymarkDynamicLinks extends FirebaseDynamicLinks {
    private static final List<String> NOT_LINKS =
            Arrays.asList("content", "file", "javascript", "data", "intent", "android-app", "about", "blob");
    private static volatile WaymarkDynamicLinks current;

    private final Context context;
    private final WaymarkClient client;
    private final InstallReferrer referrer;
    private final Last last = new Last();

    /** What was asked for last. */
    private static final class Last {
        WeakReference<Intent> intent = new WeakReference<>(null);
        Task<PendingDynamicLinkData> task;
    }

    private WaymarkDynamicLinks(Context context, WaymarkClient client, InstallReferrer referrer) {
        this.context = context.getApplicationContext();
        this.client = client;
        this.referrer = referrer;
    }

    /** @param client has the application's link domains as its domains, and callbacks on the main thread */
    public static void setUp(@NonNull Context context, @NonNull WaymarkClient client) {
        setUp(context, client, null);
    }

    /** @param referrer finds the link that led to the installation; null to do without */
    public static void setUp(@NonNull Context context, @NonNull WaymarkClient client,
            @Nullable InstallReferrer referrer) {
        current = new WaymarkDynamicLinks(context, client, referrer);
    }

    static WaymarkDynamicLinks current() {
        WaymarkDynamicLinks instance = current;
        if (instance == null) throw new IllegalStateException("call WaymarkDynamicLinks.setUp first");
        return instance;
    }

    @Override
    @NonNull
    public Task<PendingDynamicLinkData> getDynamicLink(@Nullable Intent intent) {
        synchronized (last) {
            // A rotated activity asks again with the same intent: one link is one opening and one redeem.
            boolean isSame = intent != null && last.intent.get() == intent;
            if (isSame && !(last.task.isComplete() && last.task.getException() != null)) return last.task;
            Task<PendingDynamicLinkData> task = task(intent);
            last.intent = new WeakReference<>(intent);
            last.task = task;
            return task;
        }
    }

    private Task<PendingDynamicLinkData> task(Intent intent) {
        if (intent == null || intent.getData() == null) return deferred();
        String link = IntentLinks.link(intent);
        if (link == null || !hasLink(new DeepLinkUrl(link))) return Tasks.forResult(null);
        // The app was started with a link, which is not opened again as the one that led to the installation.
        client.recordInstallation(null);
        client.endClaim();
        return getDynamicLink(Uri.parse(link));
    }

    /** Any app can send an intent with any URL: the service is asked for smart links and links with a click. */
    private boolean hasLink(DeepLinkUrl url) {
        if (new LinkHosts(client.getDomains()).contains(url)) return true;
        String scheme = url.getScheme();
        return scheme != null && !NOT_LINKS.contains(scheme.toLowerCase(Locale.ROOT))
                && ServiceParameters.of(url).getClickId() != null;
    }

    @Override
    @NonNull
    public Task<PendingDynamicLinkData> getDynamicLink(@NonNull Uri dynamicLinkUri) {
        TaskCompletionSource<PendingDynamicLinkData> task = new TaskCompletionSource<>();
        DeepLinkUrl url = new DeepLinkUrl(dynamicLinkUri.toString());
        String clickId = ServiceParameters.of(url).getClickId();
        boolean isSmartlink = new LinkHosts(client.getDomains()).contains(url);
        OnResult<ResolvedLink> onSuccess = link -> {
            client.recordOpen(clickId, isSmartlink ? url.getText() : null);
            task.setResult(PendingDynamicLinkData.of(link));
        };
        OnFailure onFailure = task::setException;
        if (isSmartlink) {
            client.resolve(url.getText(), onSuccess, onFailure);
        } else if (clickId != null) {
            client.resolveClick(clickId, onSuccess, onFailure);
        } else {
            task.setResult(null);
        }
        return task.getTask();
    }

    private Task<PendingDynamicLinkData> deferred() {
        TaskCompletionSource<PendingDynamicLinkData> task = new TaskCompletionSource<>();
        OnNullableResult<DeferredDeeplink> onSuccess = deferred ->
                task.setResult(deferred == null ? null : PendingDynamicLinkData.of(deferred.getLink()));
        if (referrer == null) {
            task.setResult(null);
        } else {
            client.claimDeferred(referrer, null, onSuccess, task::setException);
        }
        return task.getTask();
    }

    @Override
    @NonNull
    public DynamicLink.Builder createDynamicLink() {
        return new DynamicLink.Builder(this);
    }

    /** The app's package. */
    String packageName() {
        return context.getPackageName();
    }

    /** @param body as of {@code POST /v1/shortLinks} */
    Task<ShortDynamicLink> shorten(Map<String, Object> body) {
        TaskCompletionSource<ShortDynamicLink> task = new TaskCompletionSource<>();
        client.call("/v1/shortLinks", body,
                answer -> task.setResult(new ShortLink(answer)), task::setException);
        return task.getTask();
    }
}
