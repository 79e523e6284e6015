extension SharedText {
    var english: String {
        switch self {
        case .title: "Sign in"
        case .number: "Phone number"
        case .country: "Country or region"
        case .search: "Search"
        case .noCountry: "Nothing found"
        case .send: "Send code"
        case .checking: "Checking that you are not a robot…"
        case .codeTitle: "Enter the code"
        case .codeSent: "We sent a message to {number}."
        case .code: "Code"
        case .verify: "Confirm"
        case .resend: "Send again"
        case .resendIn: "Send again in {time}"
        case .resent: "We sent the code again."
        case .callMe: "Call me instead"
        case .sendBy: "Send by {name}"
        case .changeNumber: "Change number"
        case .email: "E-mail address"
        case .password: "Password"
        case .usePassword: "Use e-mail and password"
        case .usePhone: "Use a phone number"
        case .factorTitle: "One more step"
        case .factorChoice: "How do you want to confirm that it is you?"
        case .factorPhone: "Message to {number}"
        case .factorApp: "Authenticator app"
        case .appDetail: "Open your authenticator app and enter the code that it shows."
        case .recovery: "Recovery code"
        case .recoveryDetail: "Enter one of the recovery codes that you saved."
        case .otherWay: "Confirm in another way"
        case .startOver: "Start over"
        case .doneTitle: "You are signed in"
        case .signOut: "Sign out"
        case .offline: "You are offline. We continue as soon as you are connected again."
        case .invalidNumber: "This is not a valid phone number."
        case .tooShort: "This phone number is too short."
        case .tooLong: "This phone number is too long."
        case .regionNotAllowed: "We cannot send messages to this country or region."
        case .notAllowed: "This way to sign in is not available."
        case .tooManyRequestsFor: "Too many attempts. Try again in {time}."
        case .secondFactorUser:
            "This number is protected by a second step. Sign in with your e-mail address and password."
        case .disabled: "This account is disabled. Please contact support."
        case .wrongCode: "This code is incorrect."
        case .attemptsLeft: "Attempts left: {number}"
        case .codeIncomplete: "The code has {number} digits."
        case .codeExpired: "This code is no longer valid. Send a new one."
        case .attemptsSpent: "Too many wrong codes. Send a new one."
        case .wrongPassword: "The e-mail address or password is incorrect."
        case .invalidEmail: "This is not a valid e-mail address."
        case .missing: "Please fill in this field."
        case .numberRecycled: "This number has not been used for a long time. Please sign in another way."
        case .refused: "The app did not allow this sign-in."
        case .startAgain: "This took too long. Please start over."
        case .linkTitle: "Add your phone number"
        case .confirmTitle: "Confirm that it is you"
        case .numberTaken: "This number belongs to another account."
        case .otherAccount: "This is not the account that you are signed in to."
        case .signInAgain: "For your security, please sign in again first."
        case .factorExists: "This number is a second step already."
        case .factorLimit: "No more second steps can be added."
        case .unverifiedEmail: "Your e-mail address must be confirmed before you can add a second step."
        case .reference: "Reference {reference}"
        case .confirm: "Please show that you are a person."
        case .networkFailed: "The server cannot be reached. Check your connection and try again."
        case .serverFailed: "The server has a problem. Try again in a moment."
        case .checkFailed: "The check failed. Try again."
        case .tooManyRequests: "Too many attempts. Wait a few minutes, then try again."
        case .tryAgain: "Try again"
        case .forgotPassword: "Forgot your password?"
        case .resetSent: "If {email} has an account, we have sent an e-mail to it. Open the link in it to continue."
        case .linkSent: "We have sent an e-mail to {email}. Open the link in it to continue."
        case .sendLink: "Send link"
        case .useLink: "Sign in with a link by e-mail"
        case .linkExpired: "This link is no longer valid. Request a new one."
        case .emailTaken: "This e-mail address belongs to another account."
        case .workingHeading: "One moment"
        case .cancel: "Cancel"
        case .notice: "We will send you a text message with a code. Your carrier may charge for it."
        case .notSaved: "The sign-in could not be saved on this device. Try again."
        }
    }
}

extension PageText {
    var english: String {
        switch self {
        case .accountTitle: "Your account"
        case .name: "Name"
        case .sessions: "Where you are signed in"
        case .thisSession: "This device"
        case .unknownDevice: "Unknown device"
        case .signedInAt: "Signed in on {time}"
        case .usedAt: "Last used on {time}"
        case .otherNetwork: "Last used from a different network than at sign-in"
        case .endSession: "End session"
        case .sessionEnded: "The session has ended."
        case .signOutEverywhere: "Sign out everywhere"
        case .everywhereDetail: "This ends your sessions on all devices, here too."
        case .secondSteps: "Second step"
        case .secondStepsDetail: "Besides your password, we ask for one of these when you sign in."
        case .noSecondStep: "With a second step, your password alone is not enough to sign in."
        case .addedAt: "Added on {time}"
        case .remove: "Remove"
        case .removeTitle: "Remove this second step?"
        case .removeDetail: "We will no longer ask for it when you sign in. Your sessions on other devices end."
        case .factorRemoved: "The second step has been removed."
        case .addPhone: "Add a phone number"
        case .addApp: "Add an authenticator app"
        case .newCodes: "New recovery codes"
        case .newCodesDetail: "You get ten new codes. The ones that you have now stop working."
        case .scan: "Scan this code with your authenticator app, then enter the code that the app shows."
        case .qrCode: "QR code for your authenticator app"
        case .keyDetail: "Or enter this key in the app:"
        case .copy: "Copy"
        case .copied: "Copied"
        case .factorAdded: "The second step has been added."
        case .codesTitle: "Your recovery codes"
        case .codesDetail:
            "If you lose your phone, each of these codes replaces the second step once. Keep them in a safe place: they are shown only now."
        case .codesSaved: "I have saved the codes"
        case .deleteAccount: "Delete account"
        case .deleteTitle: "Delete your account?"
        case .deleteDetail: "Your account is deleted for good. This cannot be undone."
        case .deleted: "Your account has been deleted."
        case .sessionOver: "Your session has ended. Please sign in again."
        case .verifyEmail: "Confirm your e\u{2011}mail address"
        case .linkOpened: "I have opened the link"
        case .changeEmail: "Change e-mail address"
        case .addEmail: "Add an e-mail address"
        case .emailConfirmed: "Your e-mail address is confirmed."
        case .verificationTitle: "App verification"
        case .workingDetail: "Checking that this request comes from your app. There is nothing for you to do."
        case .doneHeading: "Done"
        case .doneDetail: "You can return to the app now."
        case .returnToApp: "Return to the app"
        case .cancelledHeading: "Cancelled"
        case .failedHeading: "That did not work"
        case .backToApp: "Back to the app"
        case .noScript: "This page needs JavaScript. Turn it on in your browser’s settings, or go back to the app."
        case .notLoaded: "This page could not be loaded. Check your connection, or use a newer browser."
        case .refusedHeading: "This link does not work"
        case .refusedDetail: "You can close this page. The app’s developer can fix this:"
        case .unknownApp: "This app is not registered with the server."
        case .bundleIDMismatch: "The app’s bundle ID does not match its registration."
        case .schemeNotRegistered: "This client ID or app ID is not registered for the app."
        case .malformed: "The link is incomplete or damaged."
        case .resetTitle: "Choose a new password"
        case .newPassword: "New password"
        case .showPassword: "Show password"
        case .weakPassword: "Use at least {number} characters."
        case .recoverTitle: "Restore your e\u{2011}mail address"
        case .passwordChanged: "Your password has been changed."
        case .emailRestored:
            "Your e-mail address has been restored. If you did not change it yourself, choose a new password, too."
        }
    }
}

extension MessageWording {
    static let english = MessageWording(
        named: "{code} is your {app} verification code. Don't share it.",
        unnamed: "{code} is your verification code. Don't share it.",
        brieflyNamed: "{code} is your {app} code.",
        brieflyUnnamed: "{code} is your code."
    )
}

extension MailWording {
    static let english = MailWording(
        resetPassword: Phrase("Reset your password", "Use this link to choose a new password for {email}:"),
        verifyEmail: Phrase("Verify your e-mail address", "Use this link to confirm that {email} is your address:"),
        signIn: Phrase("Your sign-in link", "Use this link to sign in as {email}:"),
        changeEmail: Phrase(
            "Confirm your new e-mail address",
            "Use this link to make {newEmail} the address of your account:"
        ),
        recoverEmail: Phrase(
            "Your e-mail address was changed",
            "The address of your account is now {newEmail}. If this was not you, use this link to restore {email}:"
        ),
        unrequested: "If you did not request this, you can ignore this e-mail."
    )
}
