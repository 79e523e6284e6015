extension PageTexts {
    static let japanese = PageTexts(
        title: "アプリの確認",
        workingHeading: "しばらくお待ちください",
        workingDetail: "このリクエストがお使いのアプリからのものか確認しています。操作は必要ありません。",
        confirmDetail: "人による操作であることを示してください。",
        doneHeading: "完了しました",
        doneDetail: "アプリに戻ることができます。",
        returnToApp: "アプリに戻る",
        cancelledHeading: "キャンセルしました",
        failedHeading: "うまくいきませんでした",
        checkFailed: "確認できませんでした。もう一度お試しください。",
        networkFailed: "サーバーに接続できません。接続を確認して、もう一度お試しください。",
        serverFailed: "サーバーで問題が発生しました。しばらくしてからもう一度お試しください。",
        tooManyRequests: "試行回数が多すぎます。数分待ってからもう一度お試しください。",
        tryAgain: "もう一度試す",
        backToApp: "アプリへ戻る",
        cancel: "キャンセル",
        noScript: "このページには JavaScript が必要です。ブラウザの設定で有効にするか、アプリに戻ってください。",
        notLoaded: "このページを読み込めませんでした。接続を確認するか、新しいブラウザをお使いください。",
        refusedHeading: "このリンクは使えません",
        refusedDetail: "このページは閉じてかまいません。アプリの開発者が修正できます：",
        unknownApp: "このアプリはサーバーに登録されていません。",
        bundleIDMismatch: "アプリの bundle ID が登録内容と一致しません。",
        schemeNotRegistered: "この client ID または app ID はこのアプリに登録されていません。",
        malformed: "リンクが不完全か、壊れています。"
    )
}
