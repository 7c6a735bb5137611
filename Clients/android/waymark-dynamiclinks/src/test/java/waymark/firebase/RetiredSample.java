package waymark.firebase;

import android.app.Activity;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import androidx.annotation.NonNull;
import com.google.firebase.dynamiclinks.DynamicLink;
import com.google.firebase.dynamiclinks.FirebaseDynamicLinks;
import com.google.firebase.dynamiclinks.OnCompleteListener;
import com.google.firebase.dynamiclinks.OnFailureListener;
import com.google.firebase.dynamiclinks.OnSuccessListener;
import com.google.firebase.dynamiclinks.PendingDynamicLinkData;
import com.google.firebase.dynamiclinks.ShortDynamicLink;
import com.google.firebase.dynamiclinks.Task;

/**
 * Code as apps have it for Firebase's SDK; only the imports of {@code tasks} are changed. It uses every public member.
 */
@SuppressWarnings("deprecation")
public class RetiredSample extends Activity {
    public Uri opened;
    public Uri created;

    @Override
    protected void onCreate(Bundle savedInstanceState) {
        super.onCreate(savedInstanceState);
        FirebaseDynamicLinks.getInstance()
                .getDynamicLink(getIntent())
                .addOnSuccessListener(this, new OnSuccessListener<PendingDynamicLinkData>() {
                    @Override
                    public void onSuccess(PendingDynamicLinkData pendingDynamicLinkData) {
                        Uri deepLink = null;
                        if (pendingDynamicLinkData != null) {
                            deepLink = pendingDynamicLinkData.getLink();
                            Bundle utm = pendingDynamicLinkData.getUtmParameters();
                            int version = pendingDynamicLinkData.getMinimumAppVersion();
                            long time = pendingDynamicLinkData.getClickTimestamp();
                            Intent update = pendingDynamicLinkData.getUpdateAppIntent(RetiredSample.this);
                            if (update != null && version > 0 && time > 0 && !utm.isEmpty()) startActivity(update);
                        }
                        opened = deepLink;
                    }
                })
                .addOnFailureListener(this, new OnFailureListener() {
                    @Override
                    public void onFailure(@NonNull Exception e) {
                        opened = Uri.EMPTY;
                    }
                });
    }

    public Uri makeLong(Uri link) {
        DynamicLink.Builder builder = FirebaseDynamicLinks.getInstance().createDynamicLink()
                .setLink(link)
                .setDomainUriPrefix("https://go.example.com")
                .setAndroidParameters(new DynamicLink.AndroidParameters.Builder()
                        .setFallbackUrl(Uri.parse("https://www.example.com/android"))
                        .setMinimumVersion(125)
                        .build())
                .setIosParameters(new DynamicLink.IosParameters.Builder("com.example.ios")
                        .setFallbackUrl(Uri.parse("https://www.example.com/ios"))
                        .setCustomScheme("shop")
                        .setIpadFallbackUrl(Uri.parse("https://www.example.com/ipad"))
                        .setIpadBundleId("com.example.ipad")
                        .setAppStoreId("123456789")
                        .setMinimumVersion("1.0.1")
                        .build())
                .setGoogleAnalyticsParameters(new DynamicLink.GoogleAnalyticsParameters.Builder()
                        .setSource("orkut").setMedium("social").setCampaign("example promo")
                        .setTerm("a&b").setContent("c=d")
                        .build())
                .setItunesConnectAnalyticsParameters(new DynamicLink.ItunesConnectAnalyticsParameters.Builder()
                        .setProviderToken("123456").setAffiliateToken("af").setCampaignToken("example-promo").build())
                .setSocialMetaTagParameters(new DynamicLink.SocialMetaTagParameters.Builder()
                        .setTitle("Example of a Dynamic Link")
                        .setDescription("This link works whether the app is installed or not!")
                        .setImageUrl(Uri.parse("https://www.example.com/i.png"))
                        .build())
                .setNavigationInfoParameters(new DynamicLink.NavigationInfoParameters.Builder()
                        .setForcedRedirectEnabled(true).build());
        DynamicLink dynamicLink = builder.buildDynamicLink();
        return builder.getLink().equals(link) && builder.getDomainUriPrefix().startsWith("https:")
                && builder.getLongLink().equals(Uri.EMPTY) ? dynamicLink.getUri() : Uri.EMPTY;
    }

    public Task<ShortDynamicLink> shorten(Uri longLink) {
        return FirebaseDynamicLinks.getInstance().createDynamicLink()
                .setLongLink(longLink)
                .buildShortDynamicLink(ShortDynamicLink.Suffix.SHORT)
                .addOnCompleteListener(this, new OnCompleteListener<ShortDynamicLink>() {
                    @Override
                    public void onComplete(@NonNull Task<ShortDynamicLink> task) {
                        if (!task.isSuccessful()) return;
                        created = task.getResult().getShortLink();
                        Uri flowchartLink = task.getResult().getPreviewLink();
                        for (ShortDynamicLink.Warning warning : task.getResult().getWarnings()) {
                            if (warning.getCode() != null || flowchartLink == null) {
                                throw new AssertionError(warning.getMessage());
                            }
                        }
                    }
                });
    }

    /** Starts the activity as Android does. */
    public void start(Context context, Intent intent) {
        attachBaseContext(context);
        setIntent(intent);
        onCreate(null);
    }

    public static Object[] getters() {
        DynamicLink.AndroidParameters.Builder android = new DynamicLink.AndroidParameters.Builder("com.example");
        DynamicLink.IosParameters.Builder ios = new DynamicLink.IosParameters.Builder("com.example");
        DynamicLink.GoogleAnalyticsParameters.Builder analytics =
                new DynamicLink.GoogleAnalyticsParameters.Builder("s", "m", "c");
        DynamicLink.ItunesConnectAnalyticsParameters.Builder itunes =
                new DynamicLink.ItunesConnectAnalyticsParameters.Builder();
        DynamicLink.SocialMetaTagParameters.Builder social = new DynamicLink.SocialMetaTagParameters.Builder();
        DynamicLink.NavigationInfoParameters.Builder navigation = new DynamicLink.NavigationInfoParameters.Builder();
        return new Object[] {
            android.getFallbackUrl(), android.getMinimumVersion(), ios.getCustomScheme(), ios.getIpadFallbackUrl(),
            ios.getIpadBundleId(), ios.getAppStoreId(), ios.getMinimumVersion(), analytics.getSource(),
            analytics.getMedium(), analytics.getCampaign(), analytics.getTerm(), analytics.getContent(),
            itunes.getProviderToken(), itunes.getAffiliateToken(), itunes.getCampaignToken(), social.getTitle(),
            social.getDescription(), social.getImageUrl(), navigation.getForcedRedirectEnabled()};
    }
}
