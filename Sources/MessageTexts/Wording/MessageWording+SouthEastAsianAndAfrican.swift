// Filipino, Indonesian, Malay and Swahili are written in ASCII.
extension MessageWording {
    static let filipino = MessageWording(
        named: "{code} ang iyong verification code sa {app}. Huwag itong ibahagi sa iba.",
        unnamed: "{code} ang iyong verification code. Huwag itong ibahagi sa iba.",
        brieflyNamed: "{code} ang iyong code sa {app}.",
        brieflyUnnamed: "{code} ang iyong code."
    )

    static let indonesian = MessageWording(
        named: "{code} adalah kode verifikasi {app} Anda. Jangan bagikan kepada siapa pun.",
        unnamed: "{code} adalah kode verifikasi Anda. Jangan bagikan kepada siapa pun.",
        brieflyNamed: "{code} adalah kode {app} Anda.",
        brieflyUnnamed: "{code} adalah kode Anda."
    )

    static let malay = MessageWording(
        named: "{code} ialah kod pengesahan {app} anda. Jangan kongsi dengan sesiapa.",
        unnamed: "{code} ialah kod pengesahan anda. Jangan kongsi dengan sesiapa.",
        brieflyNamed: "{code} ialah kod {app} anda.",
        brieflyUnnamed: "{code} ialah kod anda."
    )

    static let swahili = MessageWording(
        named: "{code} ni msimbo wako wa uthibitishaji wa {app}. Usimpe mtu yeyote.",
        unnamed: "{code} ni msimbo wako wa uthibitishaji. Usimpe mtu yeyote.",
        brieflyNamed: "{code} ni msimbo wako wa {app}.",
        brieflyUnnamed: "{code} ni msimbo wako."
    )

    static let thai = MessageWording(
        named: "{code} คือรหัสยืนยัน {app} ของคุณ ห้ามบอกผู้อื่น",
        unnamed: "{code} คือรหัสยืนยันของคุณ ห้ามบอกผู้อื่น",
        brieflyNamed: "{code} คือรหัส {app}",
        brieflyUnnamed: "{code} คือรหัสยืนยันของคุณ"
    )

    static let vietnamese = MessageWording(
        named: "{code} là mã xác minh {app}. Không chia sẻ mã này.",
        unnamed: "{code} là mã xác minh của bạn. Không chia sẻ mã này.",
        brieflyNamed: "{code} là mã {app}.",
        brieflyUnnamed: "{code} là mã xác minh."
    )
}
