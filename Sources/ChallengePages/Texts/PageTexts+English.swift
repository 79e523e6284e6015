extension PageTexts {
    static let english = PageTexts(
        title: "App verification",
        workingHeading: "One moment",
        workingDetail: "Checking that this request comes from your app. There is nothing for you to do.",
        confirmDetail: "Please show that you are a person.",
        doneHeading: "Done",
        doneDetail: "You can return to the app now.",
        returnToApp: "Return to the app",
        cancelledHeading: "Cancelled",
        failedHeading: "That did not work",
        checkFailed: "The check failed. Try again.",
        networkFailed: "The server cannot be reached. Check your connection and try again.",
        serverFailed: "The server has a problem. Try again in a moment.",
        tooManyRequests: "Too many attempts. Wait a few minutes, then try again.",
        tryAgain: "Try again",
        backToApp: "Back to the app",
        cancel: "Cancel",
        noScript: "This page needs JavaScript. Turn it on in your browser’s settings, or go back to the app.",
        notLoaded: "This page could not be loaded. Check your connection, or use a newer browser.",
        refusedHeading: "This link does not work",
        refusedDetail: "You can close this page. The app’s developer can fix this:",
        unknownApp: "This app is not registered with the server.",
        bundleIDMismatch: "The app’s bundle ID does not match its registration.",
        schemeNotRegistered: "This client ID or app ID is not registered for the app.",
        malformed: "The link is incomplete or damaged."
    )
}
