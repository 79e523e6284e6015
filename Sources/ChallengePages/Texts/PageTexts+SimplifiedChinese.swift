extension PageTexts {
    static let simplifiedChinese = PageTexts(
        title: "应用验证",
        workingHeading: "请稍候",
        workingDetail: "正在确认此请求来自您的应用，您无需任何操作。",
        confirmDetail: "请证明您是真人。",
        doneHeading: "完成",
        doneDetail: "您现在可以返回应用。",
        returnToApp: "返回应用",
        cancelledHeading: "已取消",
        failedHeading: "未能完成",
        checkFailed: "未通过检查，请再试一次。",
        networkFailed: "无法连接到服务器。请检查网络连接后重试。",
        serverFailed: "服务器出现问题，请稍后重试。",
        tooManyRequests: "尝试次数过多。请等待几分钟后重试。",
        tryAgain: "重试",
        backToApp: "回到应用",
        cancel: "取消",
        noScript: "此页面需要 JavaScript。请在浏览器设置中启用，或返回应用。",
        notLoaded: "此页面无法加载。请检查网络连接，或使用较新的浏览器。",
        refusedHeading: "此链接无法使用",
        refusedDetail: "您可以关闭此页面。应用的开发者可以解决这个问题：",
        unknownApp: "此应用未在服务器上注册。",
        bundleIDMismatch: "应用的 bundle ID 与注册信息不符。",
        schemeNotRegistered: "此 client ID 或 app ID 未注册给该应用。",
        malformed: "链接不完整或已损坏。"
    )
}
