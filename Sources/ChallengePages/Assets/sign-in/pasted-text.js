// Numbers and codes in what users type and paste.

/** Returns the text with the digits of any script as ASCII. */
function withASCIIDigits(text) {
  return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0);
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  });
}

const digitsOf = (text) => withASCIIDigits(text).replace(/[^\d+]/g, '');

/** Returns the number in a pasted text such as `Tel. +1 (650) 555-0101, evenings`; the text itself if it has none. */
function numberIn(text) {
  const runs = withASCIIDigits(text).match(/\+?[(\[]?\d[\d\s().[\]/\u00ad\u2010-\u2015\u200b\u2060\u2212-]*/g) || [];
  const longest = runs.sort((a, b) => digitsOf(b).length - digitsOf(a).length)[0];
  return longest ? longest.trim().replace(/[^\d)]+$/, '') : text.trim();
}

/** Returns the code in a pasted text: a whole message, or just the code with any separators. */
function codeIn(text, length) {
  const ascii = withASCIIDigits(text);
  const run = ascii.match(new RegExp('(?:^|\\D)(\\d{' + length + '})(?!\\d)'));
  return run ? run[1] : ascii.replace(/\D/g, '').slice(0, length);
}
