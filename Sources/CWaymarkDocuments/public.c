#include "CWaymarkDocuments.h"

// #embed is of C23; clang has it in C of every year.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The files of Public, as Scripts/embed-public lists them; EmbeddedPublicTests compares them with the folder.

static const unsigned char file_0[] = {
#embed "../../Public/association.css"
};
static const unsigned char file_1[] = {
#embed "../../Public/association.html"
};
static const unsigned char file_2[] = {
#embed "../../Public/association.js"
};
static const unsigned char file_3[] = {
#embed "../../Public/dashboard/applications/appearance.js"
};
static const unsigned char file_4[] = {
#embed "../../Public/dashboard/applications/application.js"
};
static const unsigned char file_5[] = {
#embed "../../Public/dashboard/applications/association-files.js"
};
static const unsigned char file_6[] = {
#embed "../../Public/dashboard/applications/association.js"
};
static const unsigned char file_7[] = {
#embed "../../Public/dashboard/applications/document.js"
};
static const unsigned char file_8[] = {
#embed "../../Public/dashboard/applications/domain-states.js"
};
static const unsigned char file_9[] = {
#embed "../../Public/dashboard/applications/form.js"
};
static const unsigned char file_10[] = {
#embed "../../Public/dashboard/applications/json.js"
};
static const unsigned char file_11[] = {
#embed "../../Public/dashboard/applications/list.js"
};
static const unsigned char file_12[] = {
#embed "../../Public/dashboard/applications/logo.js"
};
static const unsigned char file_13[] = {
#embed "../../Public/dashboard/applications/templates.js"
};
static const unsigned char file_14[] = {
#embed "../../Public/dashboard/applications/utm-templates.js"
};
static const unsigned char file_15[] = {
#embed "../../Public/dashboard/applications/wizard.js"
};
static const unsigned char file_16[] = {
#embed "../../Public/dashboard/dashboard.css"
};
static const unsigned char file_17[] = {
#embed "../../Public/dashboard/frame/address.js"
};
static const unsigned char file_18[] = {
#embed "../../Public/dashboard/frame/demonstration.js"
};
static const unsigned char file_19[] = {
#embed "../../Public/dashboard/frame/early.js"
};
static const unsigned char file_20[] = {
#embed "../../Public/dashboard/frame/keyboard-help.js"
};
static const unsigned char file_21[] = {
#embed "../../Public/dashboard/frame/keyboard.js"
};
static const unsigned char file_22[] = {
#embed "../../Public/dashboard/frame/language-choice.js"
};
static const unsigned char file_23[] = {
#embed "../../Public/dashboard/frame/menu.js"
};
static const unsigned char file_24[] = {
#embed "../../Public/dashboard/frame/pages.js"
};
static const unsigned char file_25[] = {
#embed "../../Public/dashboard/frame/palette.js"
};
static const unsigned char file_26[] = {
#embed "../../Public/dashboard/frame/scroll-position.js"
};
static const unsigned char file_27[] = {
#embed "../../Public/dashboard/frame/session.js"
};
static const unsigned char file_28[] = {
#embed "../../Public/dashboard/frame/sign-in.js"
};
static const unsigned char file_29[] = {
#embed "../../Public/dashboard/frame/undo.js"
};
static const unsigned char file_30[] = {
#embed "../../Public/dashboard/frame/unknown-page.js"
};
static const unsigned char file_31[] = {
#embed "../../Public/dashboard/links/csv-response.js"
};
static const unsigned char file_32[] = {
#embed "../../Public/dashboard/links/deletion.js"
};
static const unsigned char file_33[] = {
#embed "../../Public/dashboard/links/explain.js"
};
static const unsigned char file_34[] = {
#embed "../../Public/dashboard/links/form.js"
};
static const unsigned char file_35[] = {
#embed "../../Public/dashboard/links/form/body.js"
};
static const unsigned char file_36[] = {
#embed "../../Public/dashboard/links/form/campaign-templates.js"
};
static const unsigned char file_37[] = {
#embed "../../Public/dashboard/links/form/destinations.js"
};
static const unsigned char file_38[] = {
#embed "../../Public/dashboard/links/form/draft.js"
};
static const unsigned char file_39[] = {
#embed "../../Public/dashboard/links/form/errors.js"
};
static const unsigned char file_40[] = {
#embed "../../Public/dashboard/links/form/fields.js"
};
static const unsigned char file_41[] = {
#embed "../../Public/dashboard/links/form/list-lines.js"
};
static const unsigned char file_42[] = {
#embed "../../Public/dashboard/links/form/many.js"
};
static const unsigned char file_43[] = {
#embed "../../Public/dashboard/links/form/preview.js"
};
static const unsigned char file_44[] = {
#embed "../../Public/dashboard/links/form/rules-editor.js"
};
static const unsigned char file_45[] = {
#embed "../../Public/dashboard/links/form/slug-check.js"
};
static const unsigned char file_46[] = {
#embed "../../Public/dashboard/links/form/tabs.js"
};
static const unsigned char file_47[] = {
#embed "../../Public/dashboard/links/history.js"
};
static const unsigned char file_48[] = {
#embed "../../Public/dashboard/links/import-columns.js"
};
static const unsigned char file_49[] = {
#embed "../../Public/dashboard/links/import.js"
};
static const unsigned char file_50[] = {
#embed "../../Public/dashboard/links/link.js"
};
static const unsigned char file_51[] = {
#embed "../../Public/dashboard/links/links.css"
};
static const unsigned char file_52[] = {
#embed "../../Public/dashboard/links/list.js"
};
static const unsigned char file_53[] = {
#embed "../../Public/dashboard/links/list/bulk.js"
};
static const unsigned char file_54[] = {
#embed "../../Public/dashboard/links/list/chips.js"
};
static const unsigned char file_55[] = {
#embed "../../Public/dashboard/links/list/csv.js"
};
static const unsigned char file_56[] = {
#embed "../../Public/dashboard/links/list/filters.js"
};
static const unsigned char file_57[] = {
#embed "../../Public/dashboard/links/list/folders.js"
};
static const unsigned char file_58[] = {
#embed "../../Public/dashboard/links/list/recent-clicks.js"
};
static const unsigned char file_59[] = {
#embed "../../Public/dashboard/links/list/reversal.js"
};
static const unsigned char file_60[] = {
#embed "../../Public/dashboard/links/list/row.js"
};
static const unsigned char file_61[] = {
#embed "../../Public/dashboard/links/list/selection.js"
};
static const unsigned char file_62[] = {
#embed "../../Public/dashboard/links/list/views.js"
};
static const unsigned char file_63[] = {
#embed "../../Public/dashboard/links/planned-changes.js"
};
static const unsigned char file_64[] = {
#embed "../../Public/dashboard/links/qr-code.js"
};
static const unsigned char file_65[] = {
#embed "../../Public/dashboard/links/results/promotion.js"
};
static const unsigned char file_66[] = {
#embed "../../Public/dashboard/links/results/rates.js"
};
static const unsigned char file_67[] = {
#embed "../../Public/dashboard/links/results/results.js"
};
static const unsigned char file_68[] = {
#embed "../../Public/dashboard/links/results/split.js"
};
static const unsigned char file_69[] = {
#embed "../../Public/dashboard/links/rules.js"
};
static const unsigned char file_70[] = {
#embed "../../Public/dashboard/links/styles.js"
};
static const unsigned char file_71[] = {
#embed "../../Public/dashboard/links/verification.js"
};
static const unsigned char file_72[] = {
#embed "../../Public/dashboard/links/verified.js"
};
static const unsigned char file_73[] = {
#embed "../../Public/dashboard/links/visitors.js"
};
static const unsigned char file_74[] = {
#embed "../../Public/dashboard/main.js"
};
static const unsigned char file_75[] = {
#embed "../../Public/dashboard/people/account.js"
};
static const unsigned char file_76[] = {
#embed "../../Public/dashboard/people/invitation.js"
};
static const unsigned char file_77[] = {
#embed "../../Public/dashboard/people/passkeys.js"
};
static const unsigned char file_78[] = {
#embed "../../Public/dashboard/people/people.js"
};
static const unsigned char file_79[] = {
#embed "../../Public/dashboard/people/programs.js"
};
static const unsigned char file_80[] = {
#embed "../../Public/dashboard/reference/call.js"
};
static const unsigned char file_81[] = {
#embed "../../Public/dashboard/reference/reference.js"
};
static const unsigned char file_82[] = {
#embed "../../Public/dashboard/reference/samples.js"
};
static const unsigned char file_83[] = {
#embed "../../Public/dashboard/reference/schemas.js"
};
static const unsigned char file_84[] = {
#embed "../../Public/dashboard/reports/attention.js"
};
static const unsigned char file_85[] = {
#embed "../../Public/dashboard/reports/chart.js"
};
static const unsigned char file_86[] = {
#embed "../../Public/dashboard/reports/comparison.js"
};
static const unsigned char file_87[] = {
#embed "../../Public/dashboard/reports/conversions.js"
};
static const unsigned char file_88[] = {
#embed "../../Public/dashboard/reports/csv-file.js"
};
static const unsigned char file_89[] = {
#embed "../../Public/dashboard/reports/grouping.js"
};
static const unsigned char file_90[] = {
#embed "../../Public/dashboard/reports/live.js"
};
static const unsigned char file_91[] = {
#embed "../../Public/dashboard/reports/no-clicks.js"
};
static const unsigned char file_92[] = {
#embed "../../Public/dashboard/reports/overview.js"
};
static const unsigned char file_93[] = {
#embed "../../Public/dashboard/reports/panels.js"
};
static const unsigned char file_94[] = {
#embed "../../Public/dashboard/reports/period.js"
};
static const unsigned char file_95[] = {
#embed "../../Public/dashboard/reports/report.js"
};
static const unsigned char file_96[] = {
#embed "../../Public/dashboard/reports/share.js"
};
static const unsigned char file_97[] = {
#embed "../../Public/dashboard/reports/shared.js"
};
static const unsigned char file_98[] = {
#embed "../../Public/dashboard/settings/association-fetches.js"
};
static const unsigned char file_99[] = {
#embed "../../Public/dashboard/settings/audit.js"
};
static const unsigned char file_100[] = {
#embed "../../Public/dashboard/settings/creation.js"
};
static const unsigned char file_101[] = {
#embed "../../Public/dashboard/settings/delivery-bars.js"
};
static const unsigned char file_102[] = {
#embed "../../Public/dashboard/settings/domains.js"
};
static const unsigned char file_103[] = {
#embed "../../Public/dashboard/settings/keys.js"
};
static const unsigned char file_104[] = {
#embed "../../Public/dashboard/settings/metrics.js"
};
static const unsigned char file_105[] = {
#embed "../../Public/dashboard/settings/system.js"
};
static const unsigned char file_106[] = {
#embed "../../Public/dashboard/settings/webhook-form.js"
};
static const unsigned char file_107[] = {
#embed "../../Public/dashboard/settings/webhook-state.js"
};
static const unsigned char file_108[] = {
#embed "../../Public/dashboard/settings/webhook.js"
};
static const unsigned char file_109[] = {
#embed "../../Public/dashboard/settings/webhooks.js"
};
static const unsigned char file_110[] = {
#embed "../../Public/dashboard/shared/announcement.js"
};
static const unsigned char file_111[] = {
#embed "../../Public/dashboard/shared/api.js"
};
static const unsigned char file_112[] = {
#embed "../../Public/dashboard/shared/changed-values.js"
};
static const unsigned char file_113[] = {
#embed "../../Public/dashboard/shared/clipboard.js"
};
static const unsigned char file_114[] = {
#embed "../../Public/dashboard/shared/command.js"
};
static const unsigned char file_115[] = {
#embed "../../Public/dashboard/shared/dialog.js"
};
static const unsigned char file_116[] = {
#embed "../../Public/dashboard/shared/element.js"
};
static const unsigned char file_117[] = {
#embed "../../Public/dashboard/shared/fields.js"
};
static const unsigned char file_118[] = {
#embed "../../Public/dashboard/shared/formats.js"
};
static const unsigned char file_119[] = {
#embed "../../Public/dashboard/shared/forms.js"
};
static const unsigned char file_120[] = {
#embed "../../Public/dashboard/shared/link-parts.js"
};
static const unsigned char file_121[] = {
#embed "../../Public/dashboard/shared/page-texts.js"
};
static const unsigned char file_122[] = {
#embed "../../Public/dashboard/shared/pane.js"
};
static const unsigned char file_123[] = {
#embed "../../Public/dashboard/shared/setting.js"
};
static const unsigned char file_124[] = {
#embed "../../Public/dashboard/shared/texts.js"
};
static const unsigned char file_125[] = {
#embed "../../Public/dashboard/shared/utm-templates.js"
};
static const unsigned char file_126[] = {
#embed "../../Public/dashboard/shared/value-names.js"
};
static const unsigned char file_127[] = {
#embed "../../Public/dashboard/texts/de.json"
};
static const unsigned char file_128[] = {
#embed "../../Public/dashboard/texts/de.pages.json"
};
static const unsigned char file_129[] = {
#embed "../../Public/dashboard/texts/en.json"
};
static const unsigned char file_130[] = {
#embed "../../Public/dashboard/texts/en.pages.json"
};
static const unsigned char file_131[] = {
#embed "../../Public/dashboard/texts/es.json"
};
static const unsigned char file_132[] = {
#embed "../../Public/dashboard/texts/es.pages.json"
};
static const unsigned char file_133[] = {
#embed "../../Public/dashboard/texts/fr.json"
};
static const unsigned char file_134[] = {
#embed "../../Public/dashboard/texts/fr.pages.json"
};
static const unsigned char file_135[] = {
#embed "../../Public/dashboard/texts/ja.json"
};
static const unsigned char file_136[] = {
#embed "../../Public/dashboard/texts/ja.pages.json"
};
static const unsigned char file_137[] = {
#embed "../../Public/dashboard/texts/language.js"
};
static const unsigned char file_138[] = {
#embed "../../Public/dashboard/texts/server-words.js"
};
static const unsigned char file_139[] = {
#embed "../../Public/dashboard/types.d.ts"
};
static const unsigned char file_140[] = {
#embed "../../Public/documentation/page.css"
};
static const unsigned char file_141[] = {
#embed "../../Public/documentation/page.js"
};
static const unsigned char file_142[] = {
#embed "../../Public/documentation/search.js"
};
static const unsigned char file_143[] = {
#embed "../../Public/favicon.ico"
};
static const unsigned char file_144[] = {
#embed "../../Public/fragment.js"
};
static const unsigned char file_145[] = {
#embed "../../Public/icon.svg"
};
static const unsigned char file_146[] = {
#embed "../../Public/index.html"
};
static const unsigned char file_147[] = {
#embed "../../Public/ipad.js"
};
static const unsigned char file_148[] = {
#embed "../../Public/links.schema.json"
};
static const unsigned char file_149[] = {
#embed "../../Public/open.js"
};
static const unsigned char file_150[] = {
#embed "../../Public/openapi.json"
};
static const unsigned char file_151[] = {
#embed "../../Public/reference.html"
};
static const unsigned char file_152[] = {
#embed "../../Public/robots.txt"
};
static const unsigned char file_153[] = {
#embed "../../Public/style.css"
};

static const waymark_document files[] = {
    {"association.css", file_0, sizeof file_0},
    {"association.html", file_1, sizeof file_1},
    {"association.js", file_2, sizeof file_2},
    {"dashboard/applications/appearance.js", file_3, sizeof file_3},
    {"dashboard/applications/application.js", file_4, sizeof file_4},
    {"dashboard/applications/association-files.js", file_5, sizeof file_5},
    {"dashboard/applications/association.js", file_6, sizeof file_6},
    {"dashboard/applications/document.js", file_7, sizeof file_7},
    {"dashboard/applications/domain-states.js", file_8, sizeof file_8},
    {"dashboard/applications/form.js", file_9, sizeof file_9},
    {"dashboard/applications/json.js", file_10, sizeof file_10},
    {"dashboard/applications/list.js", file_11, sizeof file_11},
    {"dashboard/applications/logo.js", file_12, sizeof file_12},
    {"dashboard/applications/templates.js", file_13, sizeof file_13},
    {"dashboard/applications/utm-templates.js", file_14, sizeof file_14},
    {"dashboard/applications/wizard.js", file_15, sizeof file_15},
    {"dashboard/dashboard.css", file_16, sizeof file_16},
    {"dashboard/frame/address.js", file_17, sizeof file_17},
    {"dashboard/frame/demonstration.js", file_18, sizeof file_18},
    {"dashboard/frame/early.js", file_19, sizeof file_19},
    {"dashboard/frame/keyboard-help.js", file_20, sizeof file_20},
    {"dashboard/frame/keyboard.js", file_21, sizeof file_21},
    {"dashboard/frame/language-choice.js", file_22, sizeof file_22},
    {"dashboard/frame/menu.js", file_23, sizeof file_23},
    {"dashboard/frame/pages.js", file_24, sizeof file_24},
    {"dashboard/frame/palette.js", file_25, sizeof file_25},
    {"dashboard/frame/scroll-position.js", file_26, sizeof file_26},
    {"dashboard/frame/session.js", file_27, sizeof file_27},
    {"dashboard/frame/sign-in.js", file_28, sizeof file_28},
    {"dashboard/frame/undo.js", file_29, sizeof file_29},
    {"dashboard/frame/unknown-page.js", file_30, sizeof file_30},
    {"dashboard/links/csv-response.js", file_31, sizeof file_31},
    {"dashboard/links/deletion.js", file_32, sizeof file_32},
    {"dashboard/links/explain.js", file_33, sizeof file_33},
    {"dashboard/links/form.js", file_34, sizeof file_34},
    {"dashboard/links/form/body.js", file_35, sizeof file_35},
    {"dashboard/links/form/campaign-templates.js", file_36, sizeof file_36},
    {"dashboard/links/form/destinations.js", file_37, sizeof file_37},
    {"dashboard/links/form/draft.js", file_38, sizeof file_38},
    {"dashboard/links/form/errors.js", file_39, sizeof file_39},
    {"dashboard/links/form/fields.js", file_40, sizeof file_40},
    {"dashboard/links/form/list-lines.js", file_41, sizeof file_41},
    {"dashboard/links/form/many.js", file_42, sizeof file_42},
    {"dashboard/links/form/preview.js", file_43, sizeof file_43},
    {"dashboard/links/form/rules-editor.js", file_44, sizeof file_44},
    {"dashboard/links/form/slug-check.js", file_45, sizeof file_45},
    {"dashboard/links/form/tabs.js", file_46, sizeof file_46},
    {"dashboard/links/history.js", file_47, sizeof file_47},
    {"dashboard/links/import-columns.js", file_48, sizeof file_48},
    {"dashboard/links/import.js", file_49, sizeof file_49},
    {"dashboard/links/link.js", file_50, sizeof file_50},
    {"dashboard/links/links.css", file_51, sizeof file_51},
    {"dashboard/links/list.js", file_52, sizeof file_52},
    {"dashboard/links/list/bulk.js", file_53, sizeof file_53},
    {"dashboard/links/list/chips.js", file_54, sizeof file_54},
    {"dashboard/links/list/csv.js", file_55, sizeof file_55},
    {"dashboard/links/list/filters.js", file_56, sizeof file_56},
    {"dashboard/links/list/folders.js", file_57, sizeof file_57},
    {"dashboard/links/list/recent-clicks.js", file_58, sizeof file_58},
    {"dashboard/links/list/reversal.js", file_59, sizeof file_59},
    {"dashboard/links/list/row.js", file_60, sizeof file_60},
    {"dashboard/links/list/selection.js", file_61, sizeof file_61},
    {"dashboard/links/list/views.js", file_62, sizeof file_62},
    {"dashboard/links/planned-changes.js", file_63, sizeof file_63},
    {"dashboard/links/qr-code.js", file_64, sizeof file_64},
    {"dashboard/links/results/promotion.js", file_65, sizeof file_65},
    {"dashboard/links/results/rates.js", file_66, sizeof file_66},
    {"dashboard/links/results/results.js", file_67, sizeof file_67},
    {"dashboard/links/results/split.js", file_68, sizeof file_68},
    {"dashboard/links/rules.js", file_69, sizeof file_69},
    {"dashboard/links/styles.js", file_70, sizeof file_70},
    {"dashboard/links/verification.js", file_71, sizeof file_71},
    {"dashboard/links/verified.js", file_72, sizeof file_72},
    {"dashboard/links/visitors.js", file_73, sizeof file_73},
    {"dashboard/main.js", file_74, sizeof file_74},
    {"dashboard/people/account.js", file_75, sizeof file_75},
    {"dashboard/people/invitation.js", file_76, sizeof file_76},
    {"dashboard/people/passkeys.js", file_77, sizeof file_77},
    {"dashboard/people/people.js", file_78, sizeof file_78},
    {"dashboard/people/programs.js", file_79, sizeof file_79},
    {"dashboard/reference/call.js", file_80, sizeof file_80},
    {"dashboard/reference/reference.js", file_81, sizeof file_81},
    {"dashboard/reference/samples.js", file_82, sizeof file_82},
    {"dashboard/reference/schemas.js", file_83, sizeof file_83},
    {"dashboard/reports/attention.js", file_84, sizeof file_84},
    {"dashboard/reports/chart.js", file_85, sizeof file_85},
    {"dashboard/reports/comparison.js", file_86, sizeof file_86},
    {"dashboard/reports/conversions.js", file_87, sizeof file_87},
    {"dashboard/reports/csv-file.js", file_88, sizeof file_88},
    {"dashboard/reports/grouping.js", file_89, sizeof file_89},
    {"dashboard/reports/live.js", file_90, sizeof file_90},
    {"dashboard/reports/no-clicks.js", file_91, sizeof file_91},
    {"dashboard/reports/overview.js", file_92, sizeof file_92},
    {"dashboard/reports/panels.js", file_93, sizeof file_93},
    {"dashboard/reports/period.js", file_94, sizeof file_94},
    {"dashboard/reports/report.js", file_95, sizeof file_95},
    {"dashboard/reports/share.js", file_96, sizeof file_96},
    {"dashboard/reports/shared.js", file_97, sizeof file_97},
    {"dashboard/settings/association-fetches.js", file_98, sizeof file_98},
    {"dashboard/settings/audit.js", file_99, sizeof file_99},
    {"dashboard/settings/creation.js", file_100, sizeof file_100},
    {"dashboard/settings/delivery-bars.js", file_101, sizeof file_101},
    {"dashboard/settings/domains.js", file_102, sizeof file_102},
    {"dashboard/settings/keys.js", file_103, sizeof file_103},
    {"dashboard/settings/metrics.js", file_104, sizeof file_104},
    {"dashboard/settings/system.js", file_105, sizeof file_105},
    {"dashboard/settings/webhook-form.js", file_106, sizeof file_106},
    {"dashboard/settings/webhook-state.js", file_107, sizeof file_107},
    {"dashboard/settings/webhook.js", file_108, sizeof file_108},
    {"dashboard/settings/webhooks.js", file_109, sizeof file_109},
    {"dashboard/shared/announcement.js", file_110, sizeof file_110},
    {"dashboard/shared/api.js", file_111, sizeof file_111},
    {"dashboard/shared/changed-values.js", file_112, sizeof file_112},
    {"dashboard/shared/clipboard.js", file_113, sizeof file_113},
    {"dashboard/shared/command.js", file_114, sizeof file_114},
    {"dashboard/shared/dialog.js", file_115, sizeof file_115},
    {"dashboard/shared/element.js", file_116, sizeof file_116},
    {"dashboard/shared/fields.js", file_117, sizeof file_117},
    {"dashboard/shared/formats.js", file_118, sizeof file_118},
    {"dashboard/shared/forms.js", file_119, sizeof file_119},
    {"dashboard/shared/link-parts.js", file_120, sizeof file_120},
    {"dashboard/shared/page-texts.js", file_121, sizeof file_121},
    {"dashboard/shared/pane.js", file_122, sizeof file_122},
    {"dashboard/shared/setting.js", file_123, sizeof file_123},
    {"dashboard/shared/texts.js", file_124, sizeof file_124},
    {"dashboard/shared/utm-templates.js", file_125, sizeof file_125},
    {"dashboard/shared/value-names.js", file_126, sizeof file_126},
    {"dashboard/texts/de.json", file_127, sizeof file_127},
    {"dashboard/texts/de.pages.json", file_128, sizeof file_128},
    {"dashboard/texts/en.json", file_129, sizeof file_129},
    {"dashboard/texts/en.pages.json", file_130, sizeof file_130},
    {"dashboard/texts/es.json", file_131, sizeof file_131},
    {"dashboard/texts/es.pages.json", file_132, sizeof file_132},
    {"dashboard/texts/fr.json", file_133, sizeof file_133},
    {"dashboard/texts/fr.pages.json", file_134, sizeof file_134},
    {"dashboard/texts/ja.json", file_135, sizeof file_135},
    {"dashboard/texts/ja.pages.json", file_136, sizeof file_136},
    {"dashboard/texts/language.js", file_137, sizeof file_137},
    {"dashboard/texts/server-words.js", file_138, sizeof file_138},
    {"dashboard/types.d.ts", file_139, sizeof file_139},
    {"documentation/page.css", file_140, sizeof file_140},
    {"documentation/page.js", file_141, sizeof file_141},
    {"documentation/search.js", file_142, sizeof file_142},
    {"favicon.ico", file_143, sizeof file_143},
    {"fragment.js", file_144, sizeof file_144},
    {"icon.svg", file_145, sizeof file_145},
    {"index.html", file_146, sizeof file_146},
    {"ipad.js", file_147, sizeof file_147},
    {"links.schema.json", file_148, sizeof file_148},
    {"open.js", file_149, sizeof file_149},
    {"openapi.json", file_150, sizeof file_150},
    {"reference.html", file_151, sizeof file_151},
    {"robots.txt", file_152, sizeof file_152},
    {"style.css", file_153, sizeof file_153},
};

const waymark_document *waymark_public_file_at(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
