// A QR code (ISO/IEC 18004) of a short text: bytes in UTF-8, correction level M, versions 1 to 15 (412 bytes).

/** Returns the rows of the code's modules, true if dark; null if the text is too long. */
function qrCode(text) {
  // For level M, by version: error correction codewords per block, and number of blocks.
  const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24];
  const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10];
  const bytes = new TextEncoder().encode(text);

  /** The coordinates of alignment patterns, evenly spread from the last one to the first one, which is always 6. */
  const alignmentOf = (version) => {
    if (version === 1) return [];
    const intervals = Math.floor(version / 7) + 1, last = version * 4 + 10;
    const step = Math.ceil((last - 6) / intervals / 2) * 2;
    return [6, ...Array.from({ length: intervals }, (_, index) => last - step * (intervals - 1 - index))];
  };

  /** The modules that are left for codewords. */
  const roomOf = (version) => {
    const size = version * 4 + 17, count = alignmentOf(version).length;
    // Three finders with their borders, two timing patterns, two copies of the format and a dark module.
    let room = size * size - 3 * 64 - 2 * (size - 16) - 31;
    // Alignment patterns where no finder is; those in the sixth row and column share modules with the timing.
    if (count) room -= (count * count - 3) * 25 - 2 * (count - 2) * 5;
    return version < 7 ? room : room - 36;
  };

  const capacityOf = (version) => Math.floor(roomOf(version) / 8) - CORRECTION[version - 1] * BLOCKS[version - 1];
  const lengthBits = (version) => (version < 10 ? 8 : 16);
  const version = CORRECTION.findIndex((_, index) => 4 + lengthBits(index + 1) + bytes.length * 8
    <= capacityOf(index + 1) * 8) + 1;
  if (!version) return null;
  const size = version * 4 + 17;

  // --- Codewords: mode, length, bytes and padding

  const bits = [];
  const append = (value, count) => { for (let i = count - 1; i >= 0; i--) bits.push(value >> i & 1); };
  append(4, 4);
  append(bytes.length, lengthBits(version));
  for (const byte of bytes) append(byte, 8);
  append(0, Math.min(4, capacityOf(version) * 8 - bits.length));
  append(0, -bits.length & 7);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(''), 2));
  for (let pad = 0xec; data.length < capacityOf(version); pad ^= 0xec ^ 0x11) data.push(pad);

  // --- Reed-Solomon codes over the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1

  const times = (a, b) => {
    let product = 0;
    for (let i = 7; i >= 0; i--) product = product << 1 ^ (product >> 7) * 0x11d ^ (b >> i & 1) * a;
    return product;
  };
  const degree = CORRECTION[version - 1], count = BLOCKS[version - 1];
  // The product of x − 2ⁱ, without its first coefficient, which is 1.
  const divisor = [...new Array(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    for (let j = 0; j < degree; j++) divisor[j] = times(divisor[j], root) ^ (j + 1 < degree ? divisor[j + 1] : 0);
  }
  const remainderOf = (block) => {
    const remainder = new Array(degree).fill(0);
    for (const codeword of block) {
      const factor = codeword ^ remainder.shift();
      remainder.push(0);
      divisor.forEach((coefficient, i) => { remainder[i] ^= times(coefficient, factor); });
    }
    return remainder;
  };
  // The last blocks are one codeword longer if the data cannot be divided evenly.
  const short = Math.floor(data.length / count), firstLong = count - data.length % count;
  const blocks = Array.from({ length: count }, (_, i) => {
    const start = i * short + Math.max(0, i - firstLong);
    return data.slice(start, start + short + (i < firstLong ? 0 : 1));
  });
  const corrections = blocks.map(remainderOf);
  const codewords = [];
  for (let i = 0; i <= short; i++) for (const block of blocks) if (i < block.length) codewords.push(block[i]);
  for (let i = 0; i < degree; i++) for (const correction of corrections) codewords.push(correction[i]);

  // --- Patterns that every code has

  const rows = Array.from({ length: size }, () => new Array(size).fill(false));
  const isFixed = Array.from({ length: size }, () => new Array(size).fill(false));
  const fix = (x, y, isDark) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    rows[y][x] = Boolean(isDark);
    isFixed[y][x] = true;
  };
  for (let i = 0; i < size; i++) {
    fix(6, i, i % 2 === 0);
    fix(i, 6, i % 2 === 0);
  }
  /** Draws nested squares around a center; `light` lists the distances of the light ones. */
  const square = (x, y, radius, light) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        fix(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
      }
    }
  };
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, [2, 4]);
  const places = alignmentOf(version);
  for (const y of places) {
    for (const x of places) {
      const isFinder = (x === 6 && (y === 6 || y === size - 7)) || (x === size - 7 && y === 6);
      if (!isFinder) square(x, y, 2, [1]);
    }
  }

  /** Returns the bits with a BCH code after them. */
  const protectedBits = (value, generator, degree) => {
    let rest = value;
    for (let i = 0; i < degree; i++) rest = rest << 1 ^ (rest >> degree - 1) * generator;
    return value << degree | rest;
  };
  const showFormat = (mask) => {
    // The two bits of level M are 00.
    const format = protectedBits(mask, 0x537, 10) ^ 0x5412;
    for (let i = 0; i < 15; i++) {
      const isDark = format >> i & 1;
      fix(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, isDark);
      fix(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, isDark);
    }
    fix(8, size - 8, true);
  };
  if (version >= 7) {
    const shown = protectedBits(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const a = size - 11 + i % 3, b = Math.floor(i / 3);
      fix(a, b, shown >> i & 1);
      fix(b, a, shown >> i & 1);
    }
  }
  showFormat(0);

  // --- Codewords in columns of two, up and down, from the right; the remaining modules stay light

  let bit = 0;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    const isUpward = !(right + 1 & 2);
    for (let i = 0; i < size; i++) {
      for (const x of [right, right - 1]) {
        const y = isUpward ? size - 1 - i : i;
        if (isFixed[y][x]) continue;
        rows[y][x] = Boolean(codewords[bit >> 3] >> 7 - (bit & 7) & 1);
        bit++;
      }
    }
  }

  // --- The mask that disturbs readers least

  const MASKS = [
    (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
    (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2,
  ];
  const apply = (mask) => {
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) if (!isFixed[y][x] && MASKS[mask](x, y) === 0) rows[y][x] = !rows[y][x];
    }
  };
  const penalty = () => {
    let points = 0, dark = 0;
    const columns = rows.map((_, x) => rows.map((row) => row[x]));
    for (const line of [...rows, ...columns]) {
      const text = line.map(Number).join('');
      for (const { length } of text.match(/0{5,}|1{5,}/g) || []) points += length - 2;
      for (const pattern of ['10111010000', '00001011101']) {
        for (let i = text.indexOf(pattern); i >= 0; i = text.indexOf(pattern, i + 1)) points += 40;
      }
    }
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        dark += rows[y][x];
        const isBlock = x && y && [rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]
          .every((other) => other === rows[y][x]);
        if (isBlock) points += 3;
      }
    }
    return points + Math.floor(Math.abs(dark * 20 / size / size - 10)) * 10;
  };
  let best = 0, least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    apply(mask);
    showFormat(mask);
    const points = penalty();
    if (points < least) [best, least] = [mask, points];
    apply(mask);
  }
  apply(best);
  showFormat(best);
  return rows;
}
