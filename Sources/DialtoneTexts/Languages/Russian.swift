extension SharedText {
    var russian: String {
        switch self {
        case .title: "Вход"
        case .number: "Номер телефона"
        case .country: "Страна или регион"
        case .search: "Поиск"
        case .noCountry: "Ничего не найдено"
        case .send: "Отправить код"
        case .checking: "Проверяем, что вы не робот…"
        case .codeTitle: "Введите код"
        case .codeSent: "Мы отправили сообщение на номер {number}."
        case .code: "Код"
        case .verify: "Подтвердить"
        case .resend: "Отправить ещё раз"
        case .resendIn: "Отправить ещё раз через {time}"
        case .resent: "Мы отправили код ещё раз."
        case .callMe: "Лучше позвоните мне"
        case .sendBy: "Отправить через {name}"
        case .changeNumber: "Изменить номер"
        case .email: "Адрес электронной почты"
        case .password: "Пароль"
        case .usePassword: "Войти с почтой и паролем"
        case .usePhone: "Войти по номеру телефона"
        case .factorTitle: "Ещё один шаг"
        case .factorChoice: "Как вы хотите подтвердить, что это вы?"
        case .factorPhone: "Сообщение на номер {number}"
        case .factorApp: "Приложение для аутентификации"
        case .appDetail: "Откройте приложение для аутентификации и введите код, который оно показывает."
        case .recovery: "Код восстановления"
        case .recoveryDetail: "Введите один из сохранённых кодов восстановления."
        case .otherWay: "Подтвердить другим способом"
        case .startOver: "Начать сначала"
        case .doneTitle: "Вы вошли"
        case .signOut: "Выйти"
        case .offline: "Нет подключения. Мы продолжим, как только оно появится."
        case .invalidNumber: "Это недействительный номер телефона."
        case .tooShort: "Этот номер телефона слишком короткий."
        case .tooLong: "Этот номер телефона слишком длинный."
        case .regionNotAllowed: "Мы не можем отправлять сообщения в эту страну или этот регион."
        case .notAllowed: "Этот способ входа недоступен."
        case .tooManyRequestsFor: "Слишком много попыток. Повторите через {time}."
        case .secondFactorUser: "Этот номер защищён вторым шагом. Войдите с адресом электронной почты и паролем."
        case .disabled: "Этот аккаунт отключён. Обратитесь в службу поддержки."
        case .wrongCode: "Неверный код."
        case .attemptsLeft: "Осталось попыток: {number}"
        case .codeIncomplete: "Цифр в коде: {number}."
        case .codeExpired: "Этот код больше не действует. Запросите новый."
        case .attemptsSpent: "Слишком много неверных кодов. Запросите новый."
        case .wrongPassword: "Неверный адрес электронной почты или пароль."
        case .invalidEmail: "Это недействительный адрес электронной почты."
        case .missing: "Заполните это поле."
        case .numberRecycled: "Этот номер давно не использовался. Войдите другим способом."
        case .refused: "Приложение не разрешило этот вход."
        case .startAgain: "Прошло слишком много времени. Начните сначала."
        case .linkTitle: "Добавьте номер телефона"
        case .confirmTitle: "Подтвердите, что это вы"
        case .numberTaken: "Этот номер принадлежит другому аккаунту."
        case .otherAccount: "Это не тот аккаунт, в который вы вошли."
        case .signInAgain: "В целях безопасности сначала войдите ещё раз."
        case .factorExists: "Этот номер уже используется как второй шаг."
        case .factorLimit: "Больше вторых шагов добавить нельзя."
        case .unverifiedEmail: "Прежде чем добавить второй шаг, нужно подтвердить адрес электронной почты."
        case .reference: "Номер обращения {reference}"
        case .confirm: "Подтвердите, что вы человек."
        case .networkFailed: "Сервер недоступен. Проверьте подключение и попробуйте снова."
        case .serverFailed: "На сервере возникла ошибка. Попробуйте снова чуть позже."
        case .checkFailed: "Проверка не пройдена. Попробуйте ещё раз."
        case .tooManyRequests: "Слишком много попыток. Подождите несколько минут и попробуйте снова."
        case .tryAgain: "Попробовать снова"
        case .forgotPassword: "Забыли пароль?"
        case .resetSent:
            "Если для {email} есть аккаунт, мы отправили туда письмо. Откройте ссылку в нём, чтобы продолжить."
        case .linkSent: "Мы отправили письмо на {email}. Откройте ссылку в нём, чтобы продолжить."
        case .sendLink: "Отправить ссылку"
        case .useLink: "Войти по ссылке из письма"
        case .linkExpired: "Эта ссылка больше не действует. Запросите новую."
        case .emailTaken: "Этот адрес электронной почты принадлежит другому аккаунту."
        case .workingHeading: "Один момент"
        case .cancel: "Отмена"
        case .notice: "Мы отправим вам сообщение с кодом. Оператор может взять за него плату."
        case .notSaved: "Не удалось сохранить вход на этом устройстве. Повторите попытку."
        }
    }
}

extension PageText {
    var russian: String {
        switch self {
        case .accountTitle: "Ваш аккаунт"
        case .name: "Имя"
        case .sessions: "Где вы вошли"
        case .thisSession: "Это устройство"
        case .unknownDevice: "Неизвестное устройство"
        case .signedInAt: "Вход: {time}"
        case .usedAt: "Последнее использование: {time}"
        case .otherNetwork: "В последний раз использовано не из той сети, что при входе"
        case .endSession: "Завершить сеанс"
        case .sessionEnded: "Сеанс завершён."
        case .signOutEverywhere: "Выйти везде"
        case .everywhereDetail: "Будут завершены сеансы на всех устройствах, в том числе здесь."
        case .secondSteps: "Второй шаг"
        case .secondStepsDetail: "При входе кроме пароля мы запрашиваем одно из следующего."
        case .noSecondStep: "Со вторым шагом для входа недостаточно одного пароля."
        case .addedAt: "Добавлено: {time}"
        case .remove: "Удалить"
        case .removeTitle: "Удалить этот второй шаг?"
        case .removeDetail: "Мы больше не будем запрашивать его при входе. Сеансы на других устройствах завершатся."
        case .factorRemoved: "Второй шаг удалён."
        case .addPhone: "Добавить номер телефона"
        case .addApp: "Добавить приложение для аутентификации"
        case .newCodes: "Новые коды восстановления"
        case .newCodesDetail: "Вы получите десять новых кодов. Нынешние перестанут действовать."
        case .scan: "Отсканируйте этот код приложением для аутентификации и введите код, который оно покажет."
        case .qrCode: "QR-код для приложения для аутентификации"
        case .keyDetail: "Или введите этот ключ в приложении:"
        case .copy: "Копировать"
        case .copied: "Скопировано"
        case .factorAdded: "Второй шаг добавлен."
        case .codesTitle: "Ваши коды восстановления"
        case .codesDetail:
            "Если вы потеряете телефон, каждый из этих кодов один раз заменит второй шаг. Храните их в надёжном месте: они показаны только сейчас."
        case .codesSaved: "Коды сохранены"
        case .deleteAccount: "Удалить аккаунт"
        case .deleteTitle: "Удалить ваш аккаунт?"
        case .deleteDetail: "Аккаунт будет удалён навсегда. Это нельзя отменить."
        case .deleted: "Ваш аккаунт удалён."
        case .sessionOver: "Ваш сеанс завершён. Войдите ещё раз."
        case .verifyEmail: "Подтвердите адрес электронной почты"
        case .linkOpened: "Ссылка открыта"
        case .changeEmail: "Изменить адрес электронной почты"
        case .addEmail: "Добавить адрес электронной почты"
        case .emailConfirmed: "Ваш адрес электронной почты подтверждён."
        case .verificationTitle: "Проверка приложения"
        case .workingDetail: "Проверяем, что этот запрос пришёл из вашего приложения. Ничего делать не нужно."
        case .doneHeading: "Готово"
        case .doneDetail: "Теперь можно вернуться в приложение."
        case .returnToApp: "Вернуться в приложение"
        case .cancelledHeading: "Отменено"
        case .failedHeading: "Не получилось"
        case .backToApp: "Назад в приложение"
        case .noScript: "Этой странице нужен JavaScript. Включите его в настройках браузера или вернитесь в приложение."
        case .notLoaded:
            "Не удалось загрузить страницу. Проверьте подключение или воспользуйтесь более новым браузером."
        case .refusedHeading: "Эта ссылка не работает"
        case .refusedDetail: "Страницу можно закрыть. Исправить ошибку может разработчик приложения:"
        case .unknownApp: "Это приложение не зарегистрировано на сервере."
        case .bundleIDMismatch: "Bundle ID приложения не совпадает с зарегистрированным."
        case .schemeNotRegistered: "Этот client ID или app ID не зарегистрирован для приложения."
        case .malformed: "Ссылка неполная или повреждена."
        case .resetTitle: "Придумайте новый пароль"
        case .newPassword: "Новый пароль"
        case .showPassword: "Показать пароль"
        case .weakPassword: "Минимальное количество символов: {number}."
        case .recoverTitle: "Восстановить адрес электронной почты"
        case .passwordChanged: "Ваш пароль изменён."
        case .emailRestored:
            "Ваш адрес электронной почты восстановлен. Если вы его не меняли, придумайте и новый пароль."
        }
    }
}

extension MessageWording {
    static let russian = MessageWording(
        named: "{code} — ваш код для {app}. Никому его не сообщайте.",
        unnamed: "{code} — ваш код подтверждения. Никому его не сообщайте.",
        brieflyNamed: "{code} — код для {app}.",
        brieflyUnnamed: "{code} — ваш код."
    )
}

extension MailWording {
    static let russian = MailWording(
        resetPassword: Phrase("Сброс пароля", "По этой ссылке можно выбрать новый пароль для {email}:"),
        verifyEmail: Phrase(
            "Подтвердите адрес электронной почты",
            "По этой ссылке можно подтвердить, что {email} — ваш адрес:"
        ),
        signIn: Phrase("Ваша ссылка для входа", "По этой ссылке можно войти как {email}:"),
        changeEmail: Phrase(
            "Подтвердите новый адрес электронной почты",
            "По этой ссылке можно сделать {newEmail} адресом вашего аккаунта:"
        ),
        recoverEmail: Phrase(
            "Ваш адрес электронной почты изменён",
            "Теперь адрес вашего аккаунта — {newEmail}. Если это были не вы, по этой ссылке можно вернуть {email}:"
        ),
        unrequested: "Если вы этого не запрашивали, не обращайте внимания на это письмо."
    )
}
