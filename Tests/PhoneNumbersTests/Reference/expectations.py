"""Prints how the PyPI package `phonenumbers` reads numbers: one a line, with a tab between the values.

The values: the region in which a number is typed, the typed text, and either `error` and the reason, or the number, its
region, the main region of its calling code, whether it is valid, its type, and its national and international format.

The numbers are all examples of all regions and types, in international form and as dialed within the region, and random
numbers of each region: `expectations.py [SEED [NUMBERS]]`.
"""

import random
import re
import sys

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat, PhoneNumberType, ValidationResult

from metadata_xml import TYPES, all_metadata

ERRORS = {
    NumberParseException.INVALID_COUNTRY_CODE: "unknownCallingCode",
    NumberParseException.NOT_A_NUMBER: "malformed",
    NumberParseException.TOO_SHORT_AFTER_IDD: "tooShort",
    NumberParseException.TOO_SHORT_NSN: "tooShort",
    NumberParseException.TOO_LONG: "tooLong",
}
NAMES = {
    PhoneNumberType.PREMIUM_RATE: "premium",
    PhoneNumberType.TOLL_FREE: "free",
    PhoneNumberType.SHARED_COST: "shared",
    PhoneNumberType.VOIP: "voip",
    PhoneNumberType.PERSONAL_NUMBER: "personal",
    PhoneNumberType.PAGER: "pager",
    PhoneNumberType.UAN: "uan",
    PhoneNumberType.VOICEMAIL: "voicemail",
    PhoneNumberType.FIXED_LINE: "fixed",
    PhoneNumberType.MOBILE: "mobile",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed-or-mobile",
    PhoneNumberType.UNKNOWN: "-",
}


def parse_until_stable(text, region):
    """Parses a number, and then its E.164 form until it no longer changes. The package removes one national prefix at a
    time, so two texts of one number would be two numbers."""
    number = phonenumbers.parse(text, region)
    for _ in range(16):
        form = phonenumbers.format_number(number, PhoneNumberFormat.E164)
        number = phonenumbers.parse(form, None)
        if phonenumbers.format_number(number, PhoneNumberFormat.E164) == form:
            return number, form
    raise NumberParseException(NumberParseException.NOT_A_NUMBER, "never stable")


def with_one_spelling(number, form):
    """Dialtone gives every subscriber one number: in Argentina with the mobile token, and in Mexico without it."""
    if re.fullmatch(r"\+54[123]\d{9}", form):
        return parse_until_stable(form.replace("+54", "+549"), None)
    twice = re.fullmatch(r"\+549?(?:(11)15(\d{8})|([23]\d\d)15(\d{7})|([23]\d{3})15(\d{6}))", form)
    if twice:
        return parse_until_stable("+549" + "".join(filter(None, twice.groups())), None)
    if re.fullmatch(r"\+52(1|01|04[45])\d{10}", form):
        return parse_until_stable("+52" + form[-10:], None)
    return number, form


def expectation(text, region):
    try:
        number, form = with_one_spelling(*parse_until_stable(text, region))
    except NumberParseException as error:
        return ["error", ERRORS[error.error_type]]
    length = phonenumbers.is_possible_number_with_reason(number)
    if length in (ValidationResult.TOO_SHORT, ValidationResult.IS_POSSIBLE_LOCAL_ONLY):
        return ["error", "tooShort"]
    # Plans grow: to Dialtone, a number of an unknown length is possible, except in +1, whose numbers have ten digits.
    if length != ValidationResult.IS_POSSIBLE and number.country_code == 1:
        return ["error", "tooLong" if length == ValidationResult.TOO_LONG else "notPossible"]
    if len(form) > 16:
        return ["error", "tooLong"]
    found = phonenumbers.region_code_for_number(number) if length == ValidationResult.IS_POSSIBLE else None
    return [
        form,
        found or "-",
        phonenumbers.region_code_for_country_code(number.country_code),
        str(phonenumbers.is_valid_number(number)).lower(),
        NAMES[phonenumbers.number_type(number)],
        phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL),
        phonenumbers.format_number(number, PhoneNumberFormat.INTERNATIONAL),
    ]


def digits(count, source):
    return "".join(source.choice("0123456789") for _ in range(count))


def similar(example, source):
    """Returns an example with other digits at the end or anywhere, and sometimes with more or fewer digits."""
    kept = source.randint(0, len(example))
    text = example[:kept] + digits(len(example) - kept, source)
    if source.random() < 0.3:
        place = source.randrange(len(text))
        text = text[:place] + digits(1, source) + text[place + 1:]
    if source.random() < 0.1:
        text = text[:-1] if source.random() < 0.5 else text + digits(source.randint(1, 2), source)
    return text


def numbers(metadata, count, source):
    """Yields the region in which a number is typed, if it is known, and the text."""
    descriptions = [getattr(metadata, field) for _, field in TYPES]
    examples = [each.example_number for each in descriptions if each and each.example_number]
    code, region = metadata.country_code, metadata.id if metadata.id != "001" else ""
    prefix = metadata.national_prefix or ""
    for example in examples:
        yield "", f"+{code}{example}"
        yield region, example
        yield region, prefix + example
        number = phonenumbers.parse(f"+{code}{example}", None)
        yield region, phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
        yield "FR", phonenumbers.format_out_of_country_calling_number(number, "FR")
    for place in range(count):
        if place % 4:
            national = similar(source.choice(examples), source)
        else:
            national = digits(source.randint(3, 13), source)
        yield "", f"+{code}{prefix if place % 7 == 0 else ''}{national}"
        if place % 4 == 1:
            yield region, f"{source.choice(['', prefix, str(code), '00', '011'])}{national}"


def main():
    source = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    phonenumbers.re_util.enable_pattern_cache()
    for metadata in all_metadata():
        for region, text in numbers(metadata, count, source):
            print("\t".join([region, text] + expectation(text, region or None)))


if __name__ == "__main__":
    main()
