extension PageTexts {
    static let arabic = PageTexts(
        title: "التحقق من التطبيق",
        workingHeading: "لحظة من فضلك",
        workingDetail: "نتحقق من أن هذا الطلب صادر من تطبيقك. لا يلزمك القيام بأي شيء.",
        confirmDetail: "يُرجى إثبات أنك إنسان.",
        doneHeading: "تم",
        doneDetail: "يمكنك الآن العودة إلى التطبيق.",
        returnToApp: "العودة إلى التطبيق",
        cancelledHeading: "تم الإلغاء",
        failedHeading: "لم ينجح الأمر",
        checkFailed: "لم يُقبل التحقق. حاول مرة أخرى.",
        networkFailed: "يتعذر الوصول إلى الخادم. تحقق من اتصالك ثم حاول مرة أخرى.",
        serverFailed: "حدثت مشكلة في الخادم. حاول مرة أخرى بعد قليل.",
        tooManyRequests: "محاولات كثيرة جدًا. انتظر بضع دقائق ثم حاول مرة أخرى.",
        tryAgain: "إعادة المحاولة",
        backToApp: "الرجوع إلى التطبيق",
        cancel: "إلغاء",
        noScript: "تحتاج هذه الصفحة إلى JavaScript. فعّله من إعدادات المتصفح أو ارجع إلى التطبيق.",
        notLoaded: "تعذر تحميل هذه الصفحة. تحقق من اتصالك أو استخدم متصفحًا أحدث.",
        refusedHeading: "هذا الرابط لا يعمل",
        refusedDetail: "يمكنك إغلاق هذه الصفحة. يستطيع مطوّر التطبيق إصلاح الخطأ:",
        unknownApp: "هذا التطبيق غير مسجّل على الخادم.",
        bundleIDMismatch: "معرّف الحزمة (bundle ID) لا يطابق تسجيل التطبيق.",
        schemeNotRegistered: "معرّف العميل أو معرّف التطبيق هذا غير مسجّل للتطبيق.",
        malformed: "الرابط ناقص أو تالف."
    )
}
