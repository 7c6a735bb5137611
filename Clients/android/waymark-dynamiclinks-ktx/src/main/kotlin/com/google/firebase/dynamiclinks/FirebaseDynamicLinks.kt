package com.google.firebase.dynamiclinks

import android.net.Uri

/** What Kotlin apps call Firebase's parts by; only the dynamic links are here. */
object Firebase

/** The entry point; `WaymarkDynamicLinks.setUp` must have been called. */
val Firebase.dynamicLinks: FirebaseDynamicLinks
    get() = FirebaseDynamicLinks.getInstance()

/** Builds a long link. */
fun FirebaseDynamicLinks.dynamicLink(init: DynamicLink.Builder.() -> Unit): DynamicLink =
    createDynamicLink().apply(init).buildDynamicLink()

/** Creates a short link whose path nobody guesses. */
fun FirebaseDynamicLinks.shortLinkAsync(init: DynamicLink.Builder.() -> Unit): Task<ShortDynamicLink> =
    createDynamicLink().apply(init).buildShortDynamicLink()

/** Creates a short link; [suffix] is one of `ShortDynamicLink.Suffix`. */
fun FirebaseDynamicLinks.shortLinkAsync(suffix: Int, init: DynamicLink.Builder.() -> Unit): Task<ShortDynamicLink> =
    createDynamicLink().apply(init).buildShortDynamicLink(suffix)

/** What happens on Android, for the app itself. */
fun DynamicLink.Builder.androidParameters(init: DynamicLink.AndroidParameters.Builder.() -> Unit) {
    setAndroidParameters(DynamicLink.AndroidParameters.Builder().apply(init).build())
}

/** What happens on Android, for another app. */
fun DynamicLink.Builder.androidParameters(packageName: String, init: DynamicLink.AndroidParameters.Builder.() -> Unit) {
    setAndroidParameters(DynamicLink.AndroidParameters.Builder(packageName).apply(init).build())
}

/** What happens on iPhone and iPad. */
fun DynamicLink.Builder.iosParameters(bundleId: String, init: DynamicLink.IosParameters.Builder.() -> Unit) {
    setIosParameters(DynamicLink.IosParameters.Builder(bundleId).apply(init).build())
}

/** The campaign. */
fun DynamicLink.Builder.googleAnalyticsParameters(init: DynamicLink.GoogleAnalyticsParameters.Builder.() -> Unit) {
    setGoogleAnalyticsParameters(DynamicLink.GoogleAnalyticsParameters.Builder().apply(init).build())
}

/** The campaign. */
fun DynamicLink.Builder.googleAnalyticsParameters(
    source: String,
    medium: String,
    campaign: String,
    init: DynamicLink.GoogleAnalyticsParameters.Builder.() -> Unit
) {
    setGoogleAnalyticsParameters(
        DynamicLink.GoogleAnalyticsParameters.Builder(source, medium, campaign).apply(init).build()
    )
}

/** The campaign in Apple's store. */
fun DynamicLink.Builder.itunesConnectAnalyticsParameters(
    init: DynamicLink.ItunesConnectAnalyticsParameters.Builder.() -> Unit
) {
    setItunesConnectAnalyticsParameters(DynamicLink.ItunesConnectAnalyticsParameters.Builder().apply(init).build())
}

/** The card that a messenger shows. */
fun DynamicLink.Builder.socialMetaTagParameters(init: DynamicLink.SocialMetaTagParameters.Builder.() -> Unit) {
    setSocialMetaTagParameters(DynamicLink.SocialMetaTagParameters.Builder().apply(init).build())
}

/** Whether the page that opens the app is left out. */
fun DynamicLink.Builder.navigationInfoParameters(init: DynamicLink.NavigationInfoParameters.Builder.() -> Unit) {
    setNavigationInfoParameters(DynamicLink.NavigationInfoParameters.Builder().apply(init).build())
}

/** The short link. */
operator fun ShortDynamicLink.component1(): Uri? = shortLink

/** The page that shows where the link leads. */
operator fun ShortDynamicLink.component2(): Uri? = previewLink

/** What the service found wrong with the parameters. */
operator fun ShortDynamicLink.component3(): List<ShortDynamicLink.Warning> = warnings

/** The destination. */
operator fun PendingDynamicLinkData.component1(): Uri? = link

/** The version code that the link requires; 0 for any. */
operator fun PendingDynamicLinkData.component2(): Int = minimumAppVersion

/** When the link was received, in milliseconds. */
operator fun PendingDynamicLinkData.component3(): Long = clickTimestamp
