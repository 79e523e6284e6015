// Spaces separate the code and the name from adjacent characters.
extension MessageWording {
    static let japanese = MessageWording(
        named: "{code} は {app} の認証コードです。他人に教えないでください。",
        unnamed: "{code} は認証コードです。他人に教えないでください。",
        brieflyNamed: "{code} は {app} の認証コードです。",
        brieflyUnnamed: "{code} は認証コードです。"
    )

    static let korean = MessageWording(
        named: "[{code}] {app} 인증번호입니다. 타인에게 알려주지 마세요.",
        unnamed: "[{code}] 인증번호입니다. 타인에게 알려주지 마세요.",
        brieflyNamed: "[{code}] {app} 인증번호",
        brieflyUnnamed: "[{code}] 인증번호"
    )

    static let simplifiedChinese = MessageWording(
        named: "{code} 是您的 {app} 验证码，请勿泄露给他人。",
        unnamed: "{code} 是您的验证码，请勿泄露给他人。",
        brieflyNamed: "{code} 是您的 {app} 验证码。",
        brieflyUnnamed: "{code} 是您的验证码。"
    )

    static let traditionalChinese = MessageWording(
        named: "{code} 是您的 {app} 驗證碼，請勿提供給他人。",
        unnamed: "{code} 是您的驗證碼，請勿提供給他人。",
        brieflyNamed: "{code} 是您的 {app} 驗證碼。",
        brieflyUnnamed: "{code} 是您的驗證碼。"
    )
}
