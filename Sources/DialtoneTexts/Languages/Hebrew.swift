extension SharedText {
    var hebrew: String {
        switch self {
        case .title: "כניסה"
        case .number: "מספר טלפון"
        case .country: "מדינה או אזור"
        case .search: "חיפוש"
        case .noCountry: "לא נמצאו תוצאות"
        case .send: "שליחת קוד"
        case .checking: "בדיקה שלא מדובר ברובוט…"
        case .codeTitle: "הזנת הקוד"
        case .codeSent: "שלחנו הודעה אל {number}."
        case .code: "קוד"
        case .verify: "אישור"
        case .resend: "שליחה חוזרת"
        case .resendIn: "שליחה חוזרת בעוד {time}"
        case .resent: "שלחנו את הקוד שוב."
        case .callMe: "להתקשר אליי במקום זאת"
        case .sendBy: "שליחה דרך {name}"
        case .changeNumber: "שינוי המספר"
        case .email: "כתובת אימייל"
        case .password: "סיסמה"
        case .usePassword: "כניסה עם אימייל וסיסמה"
        case .usePhone: "כניסה עם מספר טלפון"
        case .factorTitle: "עוד שלב אחד"
        case .factorChoice: "איך לאשר את הזהות שלך?"
        case .factorPhone: "הודעה אל {number}"
        case .factorApp: "אפליקציית אימות"
        case .appDetail: "יש לפתוח את אפליקציית האימות ולהזין את הקוד שמוצג בה."
        case .recovery: "קוד שחזור"
        case .recoveryDetail: "יש להזין אחד מקודי השחזור ששמרת."
        case .otherWay: "אישור בדרך אחרת"
        case .startOver: "התחלה מחדש"
        case .doneTitle: "נכנסת לחשבון"
        case .signOut: "יציאה"
        case .offline: "אין חיבור לאינטרנט. נמשיך ברגע שהחיבור יחזור."
        case .invalidNumber: "מספר הטלפון הזה לא תקין."
        case .tooShort: "מספר הטלפון הזה קצר מדי."
        case .tooLong: "מספר הטלפון הזה ארוך מדי."
        case .regionNotAllowed: "אי אפשר לשלוח הודעות למדינה או לאזור הזה."
        case .notAllowed: "דרך הכניסה הזו לא זמינה."
        case .tooManyRequestsFor: "יותר מדי ניסיונות. אפשר לנסות שוב בעוד {time}."
        case .secondFactorUser: "המספר הזה מוגן בשלב נוסף. יש להיכנס עם כתובת האימייל והסיסמה."
        case .disabled: "החשבון הזה מושבת. יש לפנות לתמיכה."
        case .wrongCode: "הקוד הזה לא נכון."
        case .attemptsLeft: "ניסיונות שנותרו: {number}"
        case .codeIncomplete: "בקוד יש {number} ספרות."
        case .codeExpired: "הקוד הזה כבר לא תקף. יש לבקש קוד חדש."
        case .attemptsSpent: "יותר מדי קודים שגויים. יש לבקש קוד חדש."
        case .wrongPassword: "כתובת האימייל או הסיסמה לא נכונה."
        case .invalidEmail: "כתובת האימייל הזו לא תקינה."
        case .missing: "יש למלא את השדה הזה."
        case .numberRecycled: "לא השתמשו במספר הזה זמן רב. יש להיכנס בדרך אחרת."
        case .refused: "האפליקציה לא אישרה את הכניסה הזו."
        case .startAgain: "זה לקח יותר מדי זמן. יש להתחיל מחדש."
        case .linkTitle: "הוספת מספר הטלפון שלך"
        case .confirmTitle: "אישור הזהות שלך"
        case .numberTaken: "המספר הזה שייך לחשבון אחר."
        case .otherAccount: "זה לא החשבון שנכנסת אליו."
        case .signInAgain: "למען האבטחה שלך, יש להיכנס קודם לחשבון שוב."
        case .factorExists: "המספר הזה כבר משמש כשלב שני."
        case .factorLimit: "אי אפשר להוסיף עוד שלבים שניים."
        case .unverifiedEmail: "יש לאשר את כתובת האימייל שלך לפני הוספת שלב שני."
        case .reference: "מספר אסמכתה {reference}"
        case .confirm: "יש לאשר שמדובר באדם."
        case .networkFailed: "אין גישה לשרת. יש לבדוק את החיבור ולנסות שוב."
        case .serverFailed: "יש תקלה בשרת. אפשר לנסות שוב בעוד רגע."
        case .checkFailed: "הבדיקה לא עברה. אפשר לנסות פעם נוספת."
        case .tooManyRequests: "יותר מדי ניסיונות. יש להמתין כמה דקות ולנסות שוב."
        case .tryAgain: "ניסיון נוסף"
        case .forgotPassword: "שכחת את הסיסמה?"
        case .resetSent: "אם יש חשבון עם {email}, שלחנו אליו אימייל. יש לפתוח את הקישור שבו כדי להמשיך."
        case .linkSent: "שלחנו אימייל אל {email}. יש לפתוח את הקישור שבו כדי להמשיך."
        case .sendLink: "שליחת קישור"
        case .useLink: "כניסה עם קישור באימייל"
        case .linkExpired: "הקישור הזה כבר לא תקף. יש לבקש קישור חדש."
        case .emailTaken: "כתובת האימייל הזו שייכת לחשבון אחר."
        case .workingHeading: "רק רגע"
        case .cancel: "ביטול"
        case .notice: "נשלח אליך הודעה עם קוד. ייתכן שהמפעיל יגבה עליה תשלום."
        case .notSaved: "לא ניתן לשמור את הכניסה במכשיר הזה. אפשר לנסות שוב."
        }
    }
}

extension PageText {
    var hebrew: String {
        switch self {
        case .accountTitle: "החשבון שלך"
        case .name: "שם"
        case .sessions: "היכן נכנסת לחשבון"
        case .thisSession: "המכשיר הזה"
        case .unknownDevice: "מכשיר לא מוכר"
        case .signedInAt: "כניסה: {time}"
        case .usedAt: "שימוש אחרון: {time}"
        case .otherNetwork: "השימוש האחרון היה מרשת אחרת מזו של הכניסה"
        case .endSession: "סיום החיבור"
        case .sessionEnded: "החיבור הסתיים."
        case .signOutEverywhere: "יציאה מכל המכשירים"
        case .everywhereDetail: "הפעולה מסיימת את החיבורים שלך בכל המכשירים, גם כאן."
        case .secondSteps: "שלב שני"
        case .secondStepsDetail: "בכניסה אנחנו מבקשים אחד מאלה בנוסף לסיסמה."
        case .noSecondStep: "עם שלב שני, הסיסמה לבדה לא מספיקה לכניסה."
        case .addedAt: "נוסף: {time}"
        case .remove: "הסרה"
        case .removeTitle: "להסיר את השלב השני הזה?"
        case .removeDetail: "לא נבקש אותו יותר בכניסה. החיבורים שלך במכשירים אחרים יסתיימו."
        case .factorRemoved: "השלב השני הוסר."
        case .addPhone: "הוספת מספר טלפון"
        case .addApp: "הוספת אפליקציית אימות"
        case .newCodes: "קודי שחזור חדשים"
        case .newCodesDetail: "יתקבלו עשרה קודים חדשים. הקודים הנוכחיים יפסיקו לפעול."
        case .scan: "יש לסרוק את הקוד הזה באפליקציית האימות ולהזין את הקוד שהיא מציגה."
        case .qrCode: "קוד QR לאפליקציית האימות"
        case .keyDetail: "או להזין את המפתח הזה באפליקציה:"
        case .copy: "העתקה"
        case .copied: "הועתק"
        case .factorAdded: "השלב השני נוסף."
        case .codesTitle: "קודי השחזור שלך"
        case .codesDetail:
            "אם הטלפון יאבד, כל אחד מהקודים האלה מחליף את השלב השני פעם אחת. יש לשמור אותם במקום בטוח: הם מוצגים רק עכשיו."
        case .codesSaved: "שמרתי את הקודים"
        case .deleteAccount: "מחיקת החשבון"
        case .deleteTitle: "למחוק את החשבון שלך?"
        case .deleteDetail: "החשבון יימחק לצמיתות. אי אפשר לבטל זאת."
        case .deleted: "החשבון שלך נמחק."
        case .sessionOver: "החיבור שלך הסתיים. יש להיכנס שוב."
        case .verifyEmail: "אישור כתובת האימייל שלך"
        case .linkOpened: "פתחתי את הקישור"
        case .changeEmail: "שינוי כתובת האימייל"
        case .addEmail: "הוספת כתובת אימייל"
        case .emailConfirmed: "כתובת האימייל שלך אושרה."
        case .verificationTitle: "אימות האפליקציה"
        case .workingDetail: "בודקים שהבקשה הזו מגיעה מהאפליקציה שלך. אין צורך לעשות דבר."
        case .doneHeading: "הסתיים"
        case .doneDetail: "אפשר לחזור עכשיו לאפליקציה."
        case .returnToApp: "חזרה לאפליקציה"
        case .cancelledHeading: "בוטל"
        case .failedHeading: "זה לא הצליח"
        case .backToApp: "בחזרה לאפליקציה"
        case .noScript: "הדף הזה זקוק ל-JavaScript. יש להפעיל אותו בהגדרות הדפדפן או לחזור לאפליקציה."
        case .notLoaded: "לא היה אפשר לטעון את הדף. יש לבדוק את החיבור או להשתמש בדפדפן חדש יותר."
        case .refusedHeading: "הקישור הזה אינו פועל"
        case .refusedDetail: "אפשר לסגור את הדף. מפתחי האפליקציה יכולים לתקן זאת:"
        case .unknownApp: "האפליקציה הזו אינה רשומה בשרת."
        case .bundleIDMismatch: "מזהה החבילה (bundle ID) של האפליקציה אינו תואם לרישום שלה."
        case .schemeNotRegistered: "מזהה הלקוח או מזהה האפליקציה אינו רשום עבור האפליקציה."
        case .malformed: "הקישור חסר או פגום."
        case .resetTitle: "בחירת סיסמה חדשה"
        case .newPassword: "סיסמה חדשה"
        case .showPassword: "הצגת הסיסמה"
        case .weakPassword: "יש להשתמש ב-{number} תווים לפחות."
        case .recoverTitle: "שחזור כתובת האימייל שלך"
        case .passwordChanged: "הסיסמה שלך שונתה."
        case .emailRestored: "כתובת האימייל שלך שוחזרה. אם לא שינית אותה, כדאי לבחור גם סיסמה חדשה."
        }
    }
}

extension MessageWording {
    static let hebrew = MessageWording(
        named: "{code} הוא קוד האימות ל-{app}. אין למסור אותו לאיש.",
        unnamed: "{code} הוא קוד האימות שלך. אין למסור אותו לאיש.",
        brieflyNamed: "{code} הוא הקוד ל-{app}.",
        brieflyUnnamed: "{code} הוא קוד האימות שלך."
    )
}

extension MailWording {
    static let hebrew = MailWording(
        resetPassword: Phrase("איפוס הסיסמה שלך", "אפשר לבחור סיסמה חדשה עבור {email} בקישור הזה:"),
        verifyEmail: Phrase("אימות כתובת האימייל שלך", "אפשר לאשר שהכתובת {email} שייכת לך בקישור הזה:"),
        signIn: Phrase("קישור הכניסה שלך", "אפשר להיכנס בתור {email} בקישור הזה:"),
        changeEmail: Phrase(
            "אישור כתובת האימייל החדשה שלך",
            "אפשר להגדיר את {newEmail} ככתובת של החשבון שלך בקישור הזה:"
        ),
        recoverEmail: Phrase(
            "כתובת האימייל שלך השתנתה",
            "הכתובת של החשבון שלך היא עכשיו {newEmail}. אם לא שינית אותה, אפשר לשחזר את {email} בקישור הזה:"
        ),
        unrequested: "אם לא ביקשת את זה, אפשר להתעלם מהאימייל הזה."
    )
}
