extension PageTexts {
    static let arabic = PageTexts(
        openIn: "فتح في {app}",
        openApp: "فتح التطبيق",
        opensInApp: "يُفتح هذا الرابط في التطبيق.",
        getApp: "الحصول على التطبيق",
        continueInBrowser: "المتابعة في المتصفح",
        continueAfterInstall: "المتابعة من حيث توقفت",
        continueExplained:
            "يُنسخ هذا الرابط ليتابع التطبيق من هنا بعد تثبيته.",
        insideAnotherApp:
            "لم يحدث شيء؟ هذه الصفحة معروضة داخل تطبيق آخر. اختر «فتح في المتصفح» من قائمته، أو انسخ الرابط والصقه في متصفحك.",
        copyLink: "نسخ الرابط",
        copied: "تم النسخ. افتح المتصفح الآن.",
        copyByHand: "انسخ هذا الرابط: {link}",
        proceed: "متابعة",
        oneMoment: "لحظة من فضلك…",
        openOnPhone: "افتح هذا الرابط على هاتفك",
        scanCode: "وجّه كاميرا هاتفك نحو هذا الرمز.",
        whereItLeads: "إلى أين يؤدي هذا الرابط",
        onThisDevice: "على هذا الجهاز",
        onOtherDevices: "على الأجهزة الأخرى",
        app: "تطبيق",
        store: "متجر",
        web: "ويب",
        qrCode: "رمز QR لهذا الرابط",
        isProtected: "هذا الرابط محمي",
        enterPassword: "أدخل كلمة المرور للمتابعة.",
        password: "كلمة المرور",
        wrongPassword: "كلمة المرور غير صحيحة. يُرجى المحاولة مرة أخرى.",
        expired: Message(
            title: "انتهت صلاحية هذا الرابط",
            text:
                "لم يعد الرابط متاحًا. قد يكون لدى من أرسله إليك رابط أحدث."
        ),
        exhausted: Message(
            title: "لم يعد هذا الرابط متاحًا",
            text: "كان يمكن فتحه عددًا محدودًا من المرات فقط."),
        disabled: Message(title: "تم تعطيل هذا الرابط", text: "عطّله مالكه."),
        scheduled: Message(
            title: "هذا الرابط غير نشط بعد",
            text: "يُرجى المحاولة لاحقًا."),
        notFound: Message(
            title: "الصفحة غير موجودة",
            text: "قد يكون الرابط غير مكتمل أو تمت إزالته."),
        unavailable: Message(
            title: "حدث خطأ ما",
            text:
                "يتعذر فتح هذا الرابط الآن. يُرجى المحاولة مرة أخرى بعد دقيقة."
        ),
        tooManyRequests: Message(
            title: "طلبات كثيرة جدًا",
            text: "يُرجى الانتظار دقيقة ثم المحاولة مرة أخرى."),
        malformed: Message(
            title: "هذا العنوان غير صالح",
            text: "ربما يحتوي على خطأ مطبعي."),
        unknownHost: Message(
            title: "لا يوجد شيء هنا بعد",
            text: "لم يتم إعداد أي روابط لهذا العنوان."),
        root: Message(
            title: "هذا العنوان مخصص لفتح الروابط",
            text:
                "لا توجد صفحة هنا. استخدم الرابط الكامل الذي وصلك."
        ),
        visitWebsite: "زيارة موقع الويب")
}
