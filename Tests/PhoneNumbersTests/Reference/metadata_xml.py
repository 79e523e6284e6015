"""Writes the metadata of the PyPI package `phonenumbers` in the XML form that libphonenumber publishes.

The package is generated from this form, so nothing is lost that Dialtone uses. `make numbering-data` converts the
output to the numbering data of a release.
"""

from xml.sax.saxutils import escape, quoteattr

from phonenumbers.phonemetadata import PhoneMetadata

TYPES = [
    ("fixedLine", "fixed_line"), ("mobile", "mobile"), ("pager", "pager"), ("tollFree", "toll_free"),
    ("premiumRate", "premium_rate"), ("sharedCost", "shared_cost"), ("personalNumber", "personal_number"),
    ("voip", "voip"), ("uan", "uan"), ("voicemail", "voicemail"),
]


def attributes(pairs):
    return "".join(f" {name}={quoteattr(value)}" for name, value in pairs if value)


def element(name, text):
    return f"<{name}>{escape(text)}</{name}>"


def references(text):
    """Returns a replacement with groups written $1 instead of \\1."""
    return text.replace("\\", "$") if text else text


def lengths(values):
    return ",".join(str(value) for value in values)


def formats(metadata):
    international = list(metadata.intl_number_format)
    for form in metadata.number_format:
        rule = (references(form.national_prefix_formatting_rule) or "").replace("$1", "$FG")
        yield f"<numberFormat{attributes([('pattern', form.pattern), ('nationalPrefixFormattingRule', rule)])}>"
        for pattern in form.leading_digits_pattern:
            yield element("leadingDigits", pattern)
        yield element("format", references(form.format))
        if metadata.intl_number_format:
            # The international formats are in the same order; those that do not exist are left out.
            pair = (form.pattern, form.leading_digits_pattern)
            if international and (international[0].pattern, international[0].leading_digits_pattern) == pair:
                yield element("intlFormat", references(international.pop(0).format))
            else:
                yield element("intlFormat", "NA")
        yield "</numberFormat>"
    assert not international, metadata.id


def description(name, desc):
    if desc is None or not desc.national_number_pattern:
        return
    yield f"<{name}>"
    if name != "generalDesc":
        local = ("localOnly", lengths(desc.possible_length_local_only))
        yield f"<possibleLengths{attributes([('national', lengths(desc.possible_length)), local])}/>"
        if desc.example_number:
            yield element("exampleNumber", desc.example_number)
    yield element("nationalNumberPattern", desc.national_number_pattern)
    yield f"</{name}>"


def territory(metadata):
    values = [
        ("id", metadata.id),
        ("countryCode", str(metadata.country_code)),
        ("mainCountryForCode", "true" if metadata.main_country_for_code else ""),
        ("leadingDigits", metadata.leading_digits),
        ("internationalPrefix", metadata.international_prefix),
        ("nationalPrefix", metadata.national_prefix),
        ("nationalPrefixForParsing", metadata.national_prefix_for_parsing),
        ("nationalPrefixTransformRule", references(metadata.national_prefix_transform_rule)),
    ]
    yield f"<territory{attributes(values)}>"
    if metadata.number_format:
        yield "<availableFormats>"
        yield from formats(metadata)
        yield "</availableFormats>"
    yield from description("generalDesc", metadata.general_desc)
    for name, field in TYPES:
        yield from description(name, getattr(metadata, field))
    yield "</territory>"


def all_metadata():
    """Returns the metadata of all regions, sorted, then of the calling codes of no region."""
    PhoneMetadata.load_all()
    regions, others = PhoneMetadata._region_metadata, PhoneMetadata._country_code_metadata
    return [regions[region] for region in sorted(regions)] + [others[code] for code in sorted(others)]


def main():
    print("<phoneNumberMetadata>\n<territories>")
    for metadata in all_metadata():
        print("\n".join(territory(metadata)))
    print("</territories>\n</phoneNumberMetadata>")


if __name__ == "__main__":
    main()
