#include "CWaymarkDocuments.h"

// #embed is of C23; clang has it in C of every year.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The index of the documentation and each page that it lists for users; DocumentationTests compares them.

static const unsigned char readme_md[] = {
#embed "../../README.md"
};
static const unsigned char index_md[] = {
#embed "../../docs/README.md"
};
static const unsigned char changelog_md[] = {
#embed "../../CHANGELOG.md"
};
static const unsigned char glossary_md[] = {
#embed "../../docs/glossary.md"
};
static const unsigned char privacy_md[] = {
#embed "../../docs/privacy.md"
};
static const unsigned char comparison_md[] = {
#embed "../../docs/comparison.md"
};
static const unsigned char security_md[] = {
#embed "../../SECURITY.md"
};
static const unsigned char guide_android_md[] = {
#embed "../../docs/guide/android.md"
};
static const unsigned char guide_api_md[] = {
#embed "../../docs/guide/api.md"
};
static const unsigned char guide_association_md[] = {
#embed "../../docs/guide/association.md"
};
static const unsigned char guide_clicks_md[] = {
#embed "../../docs/guide/clicks.md"
};
static const unsigned char guide_clients_md[] = {
#embed "../../docs/guide/clients.md"
};
static const unsigned char guide_coming_from_other_sdks_md[] = {
#embed "../../docs/guide/coming-from-other-sdks.md"
};
static const unsigned char guide_concepts_md[] = {
#embed "../../docs/guide/concepts.md"
};
static const unsigned char guide_decisions_table_md[] = {
#embed "../../docs/guide/decisions-table.md"
};
static const unsigned char guide_destinations_md[] = {
#embed "../../docs/guide/destinations.md"
};
static const unsigned char guide_flutter_md[] = {
#embed "../../docs/guide/flutter.md"
};
static const unsigned char guide_from_branch_md[] = {
#embed "../../docs/guide/from-branch.md"
};
static const unsigned char guide_from_firebase_dynamic_links_md[] = {
#embed "../../docs/guide/from-firebase-dynamic-links.md"
};
static const unsigned char guide_from_hoko_md[] = {
#embed "../../docs/guide/from-hoko.md"
};
static const unsigned char guide_from_link_shorteners_md[] = {
#embed "../../docs/guide/from-link-shorteners.md"
};
static const unsigned char guide_javascript_md[] = {
#embed "../../docs/guide/javascript.md"
};
static const unsigned char guide_links_as_code_md[] = {
#embed "../../docs/guide/links-as-code.md"
};
static const unsigned char guide_own_domain_md[] = {
#embed "../../docs/guide/own-domain.md"
};
static const unsigned char guide_pages_md[] = {
#embed "../../docs/guide/pages.md"
};
static const unsigned char guide_react_native_md[] = {
#embed "../../docs/guide/react-native.md"
};
static const unsigned char guide_rules_md[] = {
#embed "../../docs/guide/rules.md"
};
static const unsigned char guide_unity_md[] = {
#embed "../../docs/guide/unity.md"
};
static const unsigned char guide_verification_md[] = {
#embed "../../docs/guide/verification.md"
};
static const unsigned char guide_waymarkkit_md[] = {
#embed "../../docs/guide/waymarkkit.md"
};
static const unsigned char guide_webhooks_md[] = {
#embed "../../docs/guide/webhooks.md"
};
static const unsigned char operations_backup_and_restore_md[] = {
#embed "../../docs/operations/backup-and-restore.md"
};
static const unsigned char operations_certificates_md[] = {
#embed "../../docs/operations/certificates.md"
};
static const unsigned char operations_clickhouse_md[] = {
#embed "../../docs/operations/clickhouse.md"
};
static const unsigned char operations_configuration_md[] = {
#embed "../../docs/operations/configuration.md"
};
static const unsigned char operations_doctor_md[] = {
#embed "../../docs/operations/doctor.md"
};
static const unsigned char operations_install_md[] = {
#embed "../../docs/operations/install.md"
};
static const unsigned char operations_limits_md[] = {
#embed "../../docs/operations/limits.md"
};
static const unsigned char operations_metadata_encryption_md[] = {
#embed "../../docs/operations/metadata-encryption.md"
};
static const unsigned char operations_metrics_md[] = {
#embed "../../docs/operations/metrics.md"
};
static const unsigned char operations_monitoring_md[] = {
#embed "../../docs/operations/monitoring.md"
};
static const unsigned char operations_rate_limits_md[] = {
#embed "../../docs/operations/rate-limits.md"
};
static const unsigned char operations_reverse_proxy_md[] = {
#embed "../../docs/operations/reverse-proxy.md"
};
static const unsigned char operations_scale_md[] = {
#embed "../../docs/operations/scale.md"
};
static const unsigned char operations_several_servers_md[] = {
#embed "../../docs/operations/several-servers.md"
};
static const unsigned char operations_tls_md[] = {
#embed "../../docs/operations/tls.md"
};
static const unsigned char operations_troubleshooting_md[] = {
#embed "../../docs/operations/troubleshooting.md"
};
static const unsigned char operations_upgrading_md[] = {
#embed "../../docs/operations/upgrading.md"
};
static const unsigned char operations_verify_md[] = {
#embed "../../docs/operations/verify.md"
};
static const unsigned char reference_assistants_md[] = {
#embed "../../docs/reference/assistants.md"
};
static const unsigned char reference_command_line_md[] = {
#embed "../../docs/reference/command-line.md"
};
static const unsigned char reference_dashboard_md[] = {
#embed "../../docs/reference/dashboard.md"
};
static const unsigned char reference_firebase_md[] = {
#embed "../../docs/reference/firebase.md"
};
static const unsigned char reference_hoko_md[] = {
#embed "../../docs/reference/hoko.md"
};
static const unsigned char reference_imports_md[] = {
#embed "../../docs/reference/imports.md"
};
static const unsigned char reference_audit_md[] = {
#embed "../../docs/reference/audit.md"
};
static const unsigned char reference_people_md[] = {
#embed "../../docs/reference/people.md"
};
static const unsigned char reference_stability_md[] = {
#embed "../../docs/reference/stability.md"
};

#define DOCUMENT(path, bytes) {path, bytes, sizeof bytes}

static const waymark_document documents[] = {
    DOCUMENT("README.md", readme_md),
    DOCUMENT("docs/README.md", index_md),
    DOCUMENT("CHANGELOG.md", changelog_md),
    DOCUMENT("docs/glossary.md", glossary_md),
    DOCUMENT("docs/privacy.md", privacy_md),
    DOCUMENT("docs/comparison.md", comparison_md),
    DOCUMENT("SECURITY.md", security_md),
    DOCUMENT("docs/guide/android.md", guide_android_md),
    DOCUMENT("docs/guide/api.md", guide_api_md),
    DOCUMENT("docs/guide/association.md", guide_association_md),
    DOCUMENT("docs/guide/clicks.md", guide_clicks_md),
    DOCUMENT("docs/guide/clients.md", guide_clients_md),
    DOCUMENT("docs/guide/coming-from-other-sdks.md", guide_coming_from_other_sdks_md),
    DOCUMENT("docs/guide/concepts.md", guide_concepts_md),
    DOCUMENT("docs/guide/decisions-table.md", guide_decisions_table_md),
    DOCUMENT("docs/guide/destinations.md", guide_destinations_md),
    DOCUMENT("docs/guide/flutter.md", guide_flutter_md),
    DOCUMENT("docs/guide/from-branch.md", guide_from_branch_md),
    DOCUMENT("docs/guide/from-firebase-dynamic-links.md", guide_from_firebase_dynamic_links_md),
    DOCUMENT("docs/guide/from-hoko.md", guide_from_hoko_md),
    DOCUMENT("docs/guide/from-link-shorteners.md", guide_from_link_shorteners_md),
    DOCUMENT("docs/guide/javascript.md", guide_javascript_md),
    DOCUMENT("docs/guide/links-as-code.md", guide_links_as_code_md),
    DOCUMENT("docs/guide/own-domain.md", guide_own_domain_md),
    DOCUMENT("docs/guide/pages.md", guide_pages_md),
    DOCUMENT("docs/guide/react-native.md", guide_react_native_md),
    DOCUMENT("docs/guide/rules.md", guide_rules_md),
    DOCUMENT("docs/guide/unity.md", guide_unity_md),
    DOCUMENT("docs/guide/verification.md", guide_verification_md),
    DOCUMENT("docs/guide/waymarkkit.md", guide_waymarkkit_md),
    DOCUMENT("docs/guide/webhooks.md", guide_webhooks_md),
    DOCUMENT("docs/operations/backup-and-restore.md", operations_backup_and_restore_md),
    DOCUMENT("docs/operations/certificates.md", operations_certificates_md),
    DOCUMENT("docs/operations/clickhouse.md", operations_clickhouse_md),
    DOCUMENT("docs/operations/configuration.md", operations_configuration_md),
    DOCUMENT("docs/operations/doctor.md", operations_doctor_md),
    DOCUMENT("docs/operations/install.md", operations_install_md),
    DOCUMENT("docs/operations/limits.md", operations_limits_md),
    DOCUMENT("docs/operations/metadata-encryption.md", operations_metadata_encryption_md),
    DOCUMENT("docs/operations/metrics.md", operations_metrics_md),
    DOCUMENT("docs/operations/monitoring.md", operations_monitoring_md),
    DOCUMENT("docs/operations/rate-limits.md", operations_rate_limits_md),
    DOCUMENT("docs/operations/reverse-proxy.md", operations_reverse_proxy_md),
    DOCUMENT("docs/operations/scale.md", operations_scale_md),
    DOCUMENT("docs/operations/several-servers.md", operations_several_servers_md),
    DOCUMENT("docs/operations/tls.md", operations_tls_md),
    DOCUMENT("docs/operations/troubleshooting.md", operations_troubleshooting_md),
    DOCUMENT("docs/operations/upgrading.md", operations_upgrading_md),
    DOCUMENT("docs/operations/verify.md", operations_verify_md),
    DOCUMENT("docs/reference/assistants.md", reference_assistants_md),
    DOCUMENT("docs/reference/command-line.md", reference_command_line_md),
    DOCUMENT("docs/reference/dashboard.md", reference_dashboard_md),
    DOCUMENT("docs/reference/firebase.md", reference_firebase_md),
    DOCUMENT("docs/reference/hoko.md", reference_hoko_md),
    DOCUMENT("docs/reference/imports.md", reference_imports_md),
    DOCUMENT("docs/reference/people.md", reference_people_md),
    DOCUMENT("docs/reference/stability.md", reference_stability_md),
    DOCUMENT("docs/reference/audit.md", reference_audit_md),
};

const waymark_document *waymark_document_at(size_t index) {
    return index < sizeof documents / sizeof documents[0] ? &documents[index] : NULL;
}
