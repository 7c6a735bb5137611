package waymark.client

import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine

// The client's calls for coroutines: the method's name with `await` before it. They suspend and never block, may be called
// in any context, end the call when the coroutine is cancelled, and throw WaymarkException.

/** Suspends until one of the callbacks; cancels the call with the coroutine. */
internal suspend fun <T> await(start: (OnNullableResult<T>, OnFailure) -> Cancellable): T =
    suspendCancellableCoroutine { continuation ->
        val call = start(
            // A type that may be null is one of T.
            OnNullableResult { @Suppress("UNCHECKED_CAST") continuation.resume(it as T) },
            OnFailure { continuation.resumeWithException(it) }
        )
        continuation.invokeOnCancellation { call.cancel() }
    }

/** Resolves a smart link; see [WaymarkClient.resolve]. */
@Throws(WaymarkException::class)
suspend fun SmartlinkService.awaitResolve(smartlink: String): ResolvedLink =
    await { success, failure -> resolve(smartlink, { success.onResult(it) }, failure) }

/** Resolves the click that the app was opened with; see [WaymarkClient.resolveClick]. */
@Throws(WaymarkException::class)
suspend fun SmartlinkService.awaitResolveClick(clickId: String): ResolvedLink =
    await { success, failure -> resolveClick(clickId, { success.onResult(it) }, failure) }

/** Creates a smart link and returns its URL; see [WaymarkClient.createSmartlink]. */
@Throws(WaymarkException::class)
suspend fun SmartlinkService.awaitCreateSmartlink(link: LinkRequest): String =
    await { success, failure -> createSmartlink(link, { success.onResult(it) }, failure) }

/** Reads the install referrer and claims; null if there is no deferred deep link. See [WaymarkClient.claimDeferred]. */
@Throws(WaymarkException::class)
suspend fun SmartlinkService.awaitClaimDeferred(
    referrer: InstallReferrer? = null,
    clipboard: String? = null
): DeferredDeeplink? = await<DeferredDeeplink?> { success, failure ->
    claimDeferred(referrer, clipboard, { success.onResult(it) }, failure)
}

/** Sends the waiting events now; see [WaymarkClient.flush]. */
@Throws(WaymarkException::class)
suspend fun WaymarkClient.awaitFlush(): EventCounts =
    await { success, failure -> flush({ success.onResult(it) }, failure) }

/** Reports something that a person did because of a link; see [WaymarkClient.reportConversion]. */
@Throws(WaymarkException::class)
suspend fun WaymarkClient.awaitReportConversion(
    id: String,
    name: String,
    clickId: String? = null,
    amount: String? = null,
    currency: String? = null
): Boolean = await { success, failure ->
    reportConversion(id, name, clickId, amount, currency, { success.onResult(it) }, failure)
}
