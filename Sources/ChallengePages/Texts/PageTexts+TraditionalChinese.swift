extension PageTexts {
    static let traditionalChinese = PageTexts(
        title: "應用程式驗證",
        workingHeading: "請稍候",
        workingDetail: "正在確認這項要求來自您的應用程式，您不需要做任何事。",
        confirmDetail: "請證明您是真人。",
        doneHeading: "完成",
        doneDetail: "您現在可以返回應用程式。",
        returnToApp: "返回應用程式",
        cancelledHeading: "已取消",
        failedHeading: "未能完成",
        checkFailed: "未通過檢查，請再試一次。",
        networkFailed: "無法連線到伺服器。請檢查網路連線後再試一次。",
        serverFailed: "伺服器發生問題，請稍後再試。",
        tooManyRequests: "嘗試次數過多。請等候幾分鐘後再試。",
        tryAgain: "再試一次",
        backToApp: "回到應用程式",
        cancel: "取消",
        noScript: "此頁面需要 JavaScript。請在瀏覽器設定中開啟，或返回應用程式。",
        notLoaded: "無法載入此頁面。請檢查網路連線，或使用較新的瀏覽器。",
        refusedHeading: "這個連結無法使用",
        refusedDetail: "您可以關閉此頁面。應用程式的開發者可以修正這個問題：",
        unknownApp: "此應用程式未在伺服器上註冊。",
        bundleIDMismatch: "應用程式的 bundle ID 與註冊資料不符。",
        schemeNotRegistered: "此 client ID 或 app ID 未註冊給這個應用程式。",
        malformed: "連結不完整或已損壞。"
    )
}
