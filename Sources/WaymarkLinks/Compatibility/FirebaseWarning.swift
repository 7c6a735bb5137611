/// Something about a Firebase Dynamic Link's parameters that keeps no link from being made.
package struct FirebaseWarning: Sendable, Equatable {
    package let code: Code
    /// A sentence.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Google's names.
    package enum Code: String, Sendable, CaseIterable {
        case codeUnspecified = "CODE_UNSPECIFIED"
        case notInProjectAndroidPackageName = "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"
        case notIntegerAndroidPackageMinVersion = "NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"
        case unnecessaryAndroidPackageMinVersion = "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"
        case notURIAndroidLink = "NOT_URI_ANDROID_LINK"
        case unnecessaryAndroidLink = "UNNECESSARY_ANDROID_LINK"
        case notURIAndroidFallbackLink = "NOT_URI_ANDROID_FALLBACK_LINK"
        case badURISchemeAndroidFallbackLink = "BAD_URI_SCHEME_ANDROID_FALLBACK_LINK"
        case notInProjectIOSBundleID = "NOT_IN_PROJECT_IOS_BUNDLE_ID"
        case notInProjectIPadBundleID = "NOT_IN_PROJECT_IPAD_BUNDLE_ID"
        case unnecessaryIOSURLScheme = "UNNECESSARY_IOS_URL_SCHEME"
        case notNumericIOSAppStoreID = "NOT_NUMERIC_IOS_APP_STORE_ID"
        case unnecessaryIOSAppStoreID = "UNNECESSARY_IOS_APP_STORE_ID"
        case notURIIOSFallbackLink = "NOT_URI_IOS_FALLBACK_LINK"
        case badURISchemeIOSFallbackLink = "BAD_URI_SCHEME_IOS_FALLBACK_LINK"
        case notURIIPadFallbackLink = "NOT_URI_IPAD_FALLBACK_LINK"
        case badURISchemeIPadFallbackLink = "BAD_URI_SCHEME_IPAD_FALLBACK_LINK"
        case badDebugParam = "BAD_DEBUG_PARAM"
        case badAdParam = "BAD_AD_PARAM"
        case deprecatedParam = "DEPRECATED_PARAM"
        case unrecognizedParam = "UNRECOGNIZED_PARAM"
        case tooLongParam = "TOO_LONG_PARAM"
        case notURISocialImageLink = "NOT_URI_SOCIAL_IMAGE_LINK"
        case badURISchemeSocialImageLink = "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"
        case notURISocialURL = "NOT_URI_SOCIAL_URL"
        case badURISchemeSocialURL = "BAD_URI_SCHEME_SOCIAL_URL"
        case linkLengthTooLong = "LINK_LENGTH_TOO_LONG"
        case linkWithFragments = "LINK_WITH_FRAGMENTS"
        case notMatchingIOSBundleIDAndStoreID = "NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"
    }
}
