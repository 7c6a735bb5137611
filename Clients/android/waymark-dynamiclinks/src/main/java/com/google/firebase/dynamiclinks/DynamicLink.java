package com.google.firebase.dynamiclinks;

import android.net.Uri;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import waymark.client.url.DeepLinkUrl;
import waymark.client.url.PercentEncoding;
import waymark.client.url.PortableText;

/** A long link: it holds all its parameters, and the service stores nothing of it. */
public final class DynamicLink {
    private final Uri uri;

    private DynamicLink(Uri uri) {
        this.uri = uri;
    }

    @NonNull
    public Uri getUri() {
        return uri;
    }

    private static Uri uri(@Nullable String text) {
        return text == null ? Uri.EMPTY : Uri.parse(text);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static int number(@Nullable String text) {
        return text == null ? 0 : Integer.parseInt(text);
    }

    /** Collects the parts of a long link, and creates the short one. */
    public static final class Builder {
        private final WaymarkDynamicLinks links;
        private final Map<String, String> parameters = new LinkedHashMap<>();
        private String prefix = "";
        private Uri longLink;

        Builder(WaymarkDynamicLinks links) {
            this.links = links;
        }

        /** A long link that was made elsewhere; the other parameters do not count then. */
        @NonNull
        public Builder setLongLink(@NonNull Uri longLink) {
            this.longLink = longLink;
            return this;
        }

        @NonNull
        public Uri getLongLink() {
            return longLink == null ? Uri.EMPTY : longLink;
        }

        /** The destination: an {@code http} or {@code https} URL. */
        @NonNull
        public Builder setLink(@NonNull Uri link) {
            parameters.put("link", link.toString());
            return this;
        }

        @NonNull
        public Uri getLink() {
            return uri(parameters.get("link"));
        }

        /**
         * @deprecated for domains of Google's, which are gone
         * @throws IllegalArgumentException for any other domain
         */
        @NonNull
        @Deprecated
        public Builder setDynamicLinkDomain(@NonNull String dynamicLinkDomain) {
            if (!dynamicLinkDomain.endsWith(".page.link") && !dynamicLinkDomain.endsWith(".app.goo.gl")) {
                throw new IllegalArgumentException("use setDomainUriPrefix for a domain of your own");
            }
            return setDomainUriPrefix("https://" + dynamicLinkDomain);
        }

        /** A domain of the application, such as {@code https://go.example.com}, with or without a path. */
        @NonNull
        public Builder setDomainUriPrefix(@NonNull String domainUriPrefix) {
            prefix = domainUriPrefix;
            return this;
        }

        @NonNull
        public String getDomainUriPrefix() {
            return prefix;
        }

        @NonNull
        public Builder setAndroidParameters(@NonNull AndroidParameters androidParameters) {
            parameters.putAll(androidParameters.parameters);
            return this;
        }

        @NonNull
        public Builder setIosParameters(@NonNull IosParameters iosParameters) {
            parameters.putAll(iosParameters.parameters);
            return this;
        }

        @NonNull
        public Builder setGoogleAnalyticsParameters(@NonNull GoogleAnalyticsParameters googleAnalyticsParameters) {
            parameters.putAll(googleAnalyticsParameters.parameters);
            return this;
        }

        @NonNull
        public Builder setItunesConnectAnalyticsParameters(
                @NonNull ItunesConnectAnalyticsParameters itunesConnectAnalyticsParameters) {
            parameters.putAll(itunesConnectAnalyticsParameters.parameters);
            return this;
        }

        @NonNull
        public Builder setSocialMetaTagParameters(@NonNull SocialMetaTagParameters socialMetaTagParameters) {
            parameters.putAll(socialMetaTagParameters.parameters);
            return this;
        }

        @NonNull
        public Builder setNavigationInfoParameters(@NonNull NavigationInfoParameters navigationInfoParameters) {
            parameters.putAll(navigationInfoParameters.parameters);
            return this;
        }

        /** @throws IllegalArgumentException without a domain and without a long link */
        @NonNull
        public DynamicLink buildDynamicLink() {
            if (longLink != null) return new DynamicLink(longLink);
            if (prefix.isEmpty()) throw new IllegalArgumentException("set the domain with setDomainUriPrefix");
            DeepLinkUrl base = new DeepLinkUrl(prefix);
            List<String> items = new ArrayList<>();
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                items.add(parameter.getKey() + "=" + PercentEncoding.encode(parameter.getValue()));
            }
            String path = base.getPath().isEmpty() ? "/" : base.getPath();
            return new DynamicLink(Uri.parse(DeepLinkUrl.of(
                    base.getScheme(), base.getAuthority(), path, PortableText.join("&", items), null).getText()));
        }

        /** Creates a short link whose path nobody guesses. */
        @NonNull
        public Task<ShortDynamicLink> buildShortDynamicLink() {
            return shorten(null);
        }

        /** @param suffix one of {@link ShortDynamicLink.Suffix} */
        @NonNull
        public Task<ShortDynamicLink> buildShortDynamicLink(@ShortDynamicLink.Suffix int suffix) {
            return shorten(suffix == ShortDynamicLink.Suffix.SHORT ? "SHORT" : "UNGUESSABLE");
        }

        private Task<ShortDynamicLink> shorten(@Nullable String option) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("longDynamicLink", buildDynamicLink().getUri().toString());
            if (option != null) {
                Map<String, Object> suffix = new LinkedHashMap<>();
                suffix.put("option", option);
                body.put("suffix", suffix);
            }
            return links.shorten(body);
        }
    }

    /** What happens on Android. */
    public static final class AndroidParameters extends LinkParameters {
        private AndroidParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            /** The app itself. */
            public Builder() {
                this(WaymarkDynamicLinks.current().packageName());
            }

            public Builder(@NonNull String packageName) {
                put("apn", packageName);
            }

            @NonNull public Builder setFallbackUrl(@NonNull Uri fallbackUrl) {
                return put("afl", fallbackUrl.toString());
            }

            @NonNull public Uri getFallbackUrl() {
                return uri(get("afl"));
            }

            @NonNull public Builder setMinimumVersion(int minimumVersion) {
                return put("amv", Integer.toString(minimumVersion));
            }

            public int getMinimumVersion() {
                return number(get("amv"));
            }

            @NonNull public AndroidParameters build() {
                return new AndroidParameters(parameters());
            }
        }
    }

    /** What happens on iPhone and iPad. */
    public static final class IosParameters extends LinkParameters {
        private IosParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            public Builder(@NonNull String bundleId) {
                put("ibi", bundleId);
            }

            @NonNull public Builder setFallbackUrl(@NonNull Uri fallbackUrl) {
                return put("ifl", fallbackUrl.toString());
            }

            @NonNull public Builder setCustomScheme(@NonNull String customScheme) {
                return put("ius", customScheme);
            }

            @NonNull public String getCustomScheme() {
                return text(get("ius"));
            }

            @NonNull public Builder setIpadFallbackUrl(@NonNull Uri ipadFallbackUrl) {
                return put("ipfl", ipadFallbackUrl.toString());
            }

            @NonNull public Uri getIpadFallbackUrl() {
                return uri(get("ipfl"));
            }

            @NonNull public Builder setIpadBundleId(@NonNull String ipadBundleId) {
                return put("ipbi", ipadBundleId);
            }

            @NonNull public String getIpadBundleId() {
                return text(get("ipbi"));
            }

            @NonNull public Builder setAppStoreId(@NonNull String appStoreId) {
                return put("isi", appStoreId);
            }

            @NonNull public String getAppStoreId() {
                return text(get("isi"));
            }

            @NonNull public Builder setMinimumVersion(@NonNull String minimumVersion) {
                return put("imv", minimumVersion);
            }

            @NonNull public String getMinimumVersion() {
                return text(get("imv"));
            }

            @NonNull public IosParameters build() {
                return new IosParameters(parameters());
            }
        }
    }

    /** The campaign: {@code utm_*}. */
    public static final class GoogleAnalyticsParameters extends LinkParameters {
        private GoogleAnalyticsParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            public Builder() {}

            public Builder(@NonNull String source, @NonNull String medium, @NonNull String campaign) {
                setSource(source);
                setMedium(medium);
                setCampaign(campaign);
            }

            @NonNull public Builder setSource(@NonNull String source) {
                return put("utm_source", source);
            }

            @NonNull public String getSource() {
                return text(get("utm_source"));
            }

            @NonNull public Builder setMedium(@NonNull String medium) {
                return put("utm_medium", medium);
            }

            @NonNull public String getMedium() {
                return text(get("utm_medium"));
            }

            @NonNull public Builder setCampaign(@NonNull String campaign) {
                return put("utm_campaign", campaign);
            }

            @NonNull public String getCampaign() {
                return text(get("utm_campaign"));
            }

            @NonNull public Builder setTerm(@NonNull String term) {
                return put("utm_term", term);
            }

            @NonNull public String getTerm() {
                return text(get("utm_term"));
            }

            @NonNull public Builder setContent(@NonNull String content) {
                return put("utm_content", content);
            }

            @NonNull public String getContent() {
                return text(get("utm_content"));
            }

            @NonNull public GoogleAnalyticsParameters build() {
                return new GoogleAnalyticsParameters(parameters());
            }
        }
    }

    /** The campaign in Apple's store. */
    public static final class ItunesConnectAnalyticsParameters extends LinkParameters {
        private ItunesConnectAnalyticsParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            public Builder() {}

            @NonNull public Builder setProviderToken(@NonNull String providerToken) {
                return put("pt", providerToken);
            }

            @NonNull public String getProviderToken() {
                return text(get("pt"));
            }

            @NonNull public Builder setAffiliateToken(@NonNull String affiliateToken) {
                return put("at", affiliateToken);
            }

            @NonNull public String getAffiliateToken() {
                return text(get("at"));
            }

            @NonNull public Builder setCampaignToken(@NonNull String campaignToken) {
                return put("ct", campaignToken);
            }

            @NonNull public String getCampaignToken() {
                return text(get("ct"));
            }

            @NonNull public ItunesConnectAnalyticsParameters build() {
                return new ItunesConnectAnalyticsParameters(parameters());
            }
        }
    }

    /** The card that a messenger shows. */
    public static final class SocialMetaTagParameters extends LinkParameters {
        private SocialMetaTagParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            public Builder() {}

            @NonNull public Builder setTitle(@NonNull String title) {
                return put("st", title);
            }

            @NonNull public String getTitle() {
                return text(get("st"));
            }

            @NonNull public Builder setDescription(@NonNull String description) {
                return put("sd", description);
            }

            @NonNull public String getDescription() {
                return text(get("sd"));
            }

            @NonNull public Builder setImageUrl(@NonNull Uri imageUrl) {
                return put("si", imageUrl.toString());
            }

            @NonNull public Uri getImageUrl() {
                return uri(get("si"));
            }

            @NonNull public SocialMetaTagParameters build() {
                return new SocialMetaTagParameters(parameters());
            }
        }
    }

    /** Whether the page that opens the app is left out. */
    public static final class NavigationInfoParameters extends LinkParameters {
        private NavigationInfoParameters(Map<String, String> parameters) {
            super(parameters);
        }

        public static final class Builder extends LinkParameters.Builder<Builder> {
            public Builder() {}

            @NonNull public Builder setForcedRedirectEnabled(boolean forcedRedirectEnabled) {
                return put("efr", forcedRedirectEnabled ? "1" : "0");
            }

            public boolean getForcedRedirectEnabled() {
                return "1".equals(get("efr"));
            }

            @NonNull public NavigationInfoParameters build() {
                return new NavigationInfoParameters(parameters());
            }
        }
    }
}
