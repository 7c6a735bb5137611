package waymark.client.routing

import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.BufferOverflow
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine
import waymark.client.InstallReferrer
import waymark.client.OnFailure
import waymark.client.OnNullableResult
import waymark.client.OnResult
import waymark.client.WaymarkException

// The router's calls for coroutines of the main thread (`Dispatchers.Main`), where the router belongs. A failure to resolve
// a link is a result, as with callbacks. The end of the coroutine does not take back a link.

/** Opens any URL and returns the outcome; see [Deeplinking.open]. */
suspend fun Deeplinking.awaitOpen(url: String): OpenResult = suspendCancellableCoroutine { continuation ->
    open(url, OnResult { continuation.resume(it) })
}

/** Opens a smart link inside the app, such as a scanned code; see [Deeplinking.openSmartlink]. */
suspend fun Deeplinking.awaitOpenSmartlink(smartlink: String): OpenResult =
    suspendCancellableCoroutine { continuation -> openSmartlink(smartlink, OnResult { continuation.resume(it) }) }

/** Claims and opens the deferred deep link; null if there is none. See [Deeplinking.openDeferred]. */
suspend fun Deeplinking.awaitOpenDeferred(
    referrer: InstallReferrer? = null,
    clipboard: String? = null
): OpenResult? = suspendCancellableCoroutine { continuation ->
    openDeferred(referrer, clipboard, OnNullableResult { continuation.resume(it) })
}

/** Creates a smart link that leads to the deep link and returns its URL; see [Deeplinking.generateSmartlink]. */
@Throws(WaymarkException::class)
suspend fun Deeplinking.awaitGenerateSmartlink(deeplink: Deeplink): String =
    suspendCancellableCoroutine { continuation ->
        generateSmartlink(
            deeplink, OnResult { continuation.resume(it) }, OnFailure { continuation.resumeWithException(it) }
        )
    }

/** Opens the current link again; null if there is none. See [Deeplinking.openCurrentDeeplink]. */
suspend fun Deeplinking.awaitOpenCurrentDeeplink(): OpenResult? = suspendCancellableCoroutine { continuation ->
    openCurrentDeeplink(OnNullableResult { continuation.resume(it) })
}

/** What [Deeplinking.open] would do with the URL, and why; asks the service without taking a redeem. */
suspend fun Deeplinking.awaitExplain(url: String): LinkExplanation =
    suspendCancellableCoroutine { continuation -> explain(url, OnResult { continuation.resume(it) }) }

/**
 * Maps a route to a target that may suspend, in a scope of the main thread. The link is kept until the target has ended. If
 * the scope is over before it begins, the link opens again by `openCurrentDeeplink`.
 */
fun Deeplinking.map(route: String, scope: CoroutineScope, target: suspend (Deeplink) -> Unit) {
    map(route, AsyncDeeplinkTarget { deeplink, done ->
        scope.launch {
            try {
                target(deeplink)
            } finally {
                done.run()
            }
        }
    })
}

/** Adds a filter that may suspend, in a scope of the main thread. An error, or the end of the scope, holds the link back. */
fun Deeplinking.addFilter(scope: CoroutineScope, filter: suspend (Deeplink) -> Boolean): DeeplinkRegistration =
    addFilter(AsyncDeeplinkFilter { deeplink, result ->
        var passes = false
        scope.launch { passes = filter(deeplink) }.invokeOnCompletion { result.onResult(passes) }
    })

/**
 * The links that pass the filters, while the flow is collected. It repeats no earlier link: collect it in a scope that
 * begins before the first link opens, such as that of the application. A collector that is slow misses the oldest of more
 * than 64 links.
 */
val Deeplinking.openedLinks: Flow<Deeplink>
    get() = callbackFlow {
        val registration = addHandler { trySend(it) }
        awaitClose { remove(registration) }
    }.buffer(64, BufferOverflow.DROP_OLDEST)
