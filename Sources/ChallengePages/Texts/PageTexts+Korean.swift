extension PageTexts {
    static let korean = PageTexts(
        title: "앱 확인",
        workingHeading: "잠시만 기다려 주세요",
        workingDetail: "이 요청이 사용 중인 앱에서 온 것인지 확인하고 있습니다. 따로 하실 일은 없습니다.",
        confirmDetail: "사람임을 확인해 주세요.",
        doneHeading: "완료되었습니다",
        doneDetail: "이제 앱으로 돌아갈 수 있습니다.",
        returnToApp: "앱으로 돌아가기",
        cancelledHeading: "취소되었습니다",
        failedHeading: "완료하지 못했습니다",
        checkFailed: "확인을 통과하지 못했습니다. 다시 한 번 시도해 주세요.",
        networkFailed: "서버에 연결할 수 없습니다. 연결 상태를 확인하고 다시 시도해 주세요.",
        serverFailed: "서버에 문제가 있습니다. 잠시 후 다시 시도해 주세요.",
        tooManyRequests: "시도 횟수가 너무 많습니다. 몇 분 후에 다시 시도해 주세요.",
        tryAgain: "다시 시도",
        backToApp: "앱으로 가기",
        cancel: "취소",
        noScript: "이 페이지에는 JavaScript가 필요합니다. 브라우저 설정에서 켜거나 앱으로 돌아가 주세요.",
        notLoaded: "이 페이지를 불러오지 못했습니다. 연결 상태를 확인하거나 최신 브라우저를 사용해 주세요.",
        refusedHeading: "이 링크는 사용할 수 없습니다",
        refusedDetail: "이 페이지를 닫아도 됩니다. 앱 개발자가 해결할 수 있습니다:",
        unknownApp: "이 앱은 서버에 등록되어 있지 않습니다.",
        bundleIDMismatch: "앱의 bundle ID가 등록된 내용과 다릅니다.",
        schemeNotRegistered: "이 client ID 또는 app ID는 이 앱에 등록되어 있지 않습니다.",
        malformed: "링크가 불완전하거나 손상되었습니다."
    )
}
