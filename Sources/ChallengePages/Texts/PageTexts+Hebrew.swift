extension PageTexts {
    static let hebrew = PageTexts(
        title: "אימות האפליקציה",
        workingHeading: "רק רגע",
        workingDetail: "בודקים שהבקשה הזו מגיעה מהאפליקציה שלך. אין צורך לעשות דבר.",
        confirmDetail: "יש לאשר שמדובר באדם.",
        doneHeading: "הסתיים",
        doneDetail: "אפשר לחזור עכשיו לאפליקציה.",
        returnToApp: "חזרה לאפליקציה",
        cancelledHeading: "בוטל",
        failedHeading: "זה לא הצליח",
        checkFailed: "הבדיקה לא עברה. אפשר לנסות פעם נוספת.",
        networkFailed: "אין גישה לשרת. יש לבדוק את החיבור ולנסות שוב.",
        serverFailed: "יש תקלה בשרת. אפשר לנסות שוב בעוד רגע.",
        tooManyRequests: "יותר מדי ניסיונות. יש להמתין כמה דקות ולנסות שוב.",
        tryAgain: "ניסיון נוסף",
        backToApp: "בחזרה לאפליקציה",
        cancel: "ביטול",
        noScript: "הדף הזה זקוק ל-JavaScript. יש להפעיל אותו בהגדרות הדפדפן או לחזור לאפליקציה.",
        notLoaded: "לא היה אפשר לטעון את הדף. יש לבדוק את החיבור או להשתמש בדפדפן חדש יותר.",
        refusedHeading: "הקישור הזה אינו פועל",
        refusedDetail: "אפשר לסגור את הדף. מפתחי האפליקציה יכולים לתקן זאת:",
        unknownApp: "האפליקציה הזו אינה רשומה בשרת.",
        bundleIDMismatch: "מזהה החבילה (bundle ID) של האפליקציה אינו תואם לרישום שלה.",
        schemeNotRegistered: "מזהה הלקוח או מזהה האפליקציה אינו רשום עבור האפליקציה.",
        malformed: "הקישור חסר או פגום."
    )
}
