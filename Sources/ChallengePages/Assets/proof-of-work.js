'use strict';
// Solves a proof of work in ALTCHA's format: finds the number for which SHA-256 of salt and number is the challenge.
// Plain JavaScript and WebCrypto each try a share of the numbers, then the faster one continues. One WebCrypto call per
// number is about 20 times slower than JavaScript with a JIT compiler, and 4 times faster than JavaScript without one.

function makeSolver() {
  const SHARE = 512;
  const SLICE_MS = 40;
  const now = () => (typeof performance === 'object' ? performance.now() : Date.now());

  // The fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
  const fraction = (root) => (root - Math.floor(root)) * 4294967296 | 0;
  const primes = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime)) primes.push(candidate);
  }
  const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
  const words = new Int32Array(64);

  /** Applies SHA-256's compression function to `state` and the 64 bytes from `offset`. */
  function compress(state, bytes, offset) {
    let i, x, y;
    for (i = 0; i < 16; i++, offset += 4) {
      words[i] = bytes[offset] << 24 | bytes[offset + 1] << 16 | bytes[offset + 2] << 8 | bytes[offset + 3];
    }
    for (; i < 64; i++) {
      x = words[i - 15];
      y = words[i - 2];
      words[i] = words[i - 16] + words[i - 7] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3)
        + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10) | 0;
    }
    let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (i = 0; i < 64; i++) {
      x = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g)
        + constants[i] + words[i] | 0;
      y = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
      h = g; g = f; f = e; e = d + x | 0; d = c; c = b; b = a; a = x + y | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }

  function asciiBytes(text) {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  /** Returns the eight words of a digest in hexadecimal. */
  function wordsOf(hex) {
    return Int32Array.from({ length: 8 }, (_, index) => parseInt(hex.slice(index * 8, index * 8 + 8), 16));
  }

  /** Returns a test for numbers. The salt's complete blocks are hashed once, for all numbers. */
  function makeTester(salt, target) {
    const whole = salt.length - salt.length % 64;
    const begun = new Int32Array(start), state = new Int32Array(8), block = new Uint8Array(128);
    for (let offset = 0; offset < whole; offset += 64) compress(begun, salt, offset);
    block.set(salt.subarray(whole));
    return (number) => {
      const digits = String(number), bits = (salt.length + digits.length) * 8;
      let end = salt.length - whole;
      for (let i = 0; i < digits.length; i++) block[end++] = digits.charCodeAt(i);
      block[end++] = 128;
      const size = end > 56 ? 128 : 64;
      block.fill(0, end, size);
      block[size - 3] = bits >>> 16;
      block[size - 2] = bits >>> 8;
      block[size - 1] = bits;
      state.set(begun);
      compress(state, block, 0);
      if (size === 128) compress(state, block, 64);
      return state[0] === target[0] && state[1] === target[1] && state[2] === target[2] && state[3] === target[3]
        && state[4] === target[4] && state[5] === target[5] && state[6] === target[6] && state[7] === target[7];
    };
  }

  /** Resolves to the number, or to -1 if there is no solution; calls `progress` periodically with the next number. */
  return async function solve(challenge, progress) {
    const salt = asciiBytes(challenge.salt), target = wordsOf(challenge.challenge), end = challenge.maxnumber + 1;
    const test = makeTester(salt, target);
    const subtle = typeof crypto === 'object' && crypto ? crypto.subtle : undefined;
    let number = 0;

    async function inPlain(limit) {
      for (; number < limit; number++) if (test(number)) return number;
      return -1;
    }

    async function inWebCrypto(limit) {
      const digests = [];
      for (let each = number; each < limit; each++) {
        digests.push(subtle.digest('SHA-256', asciiBytes(challenge.salt + each)));
      }
      for (const digest of await Promise.all(digests)) {
        const view = new DataView(digest);
        if (target.every((word, index) => view.getInt32(index * 4) === word)) return number;
        number++;
      }
      return -1;
    }

    /** Tries the next share of the numbers. */
    const share = (work) => work(Math.min(number + SHARE, end));

    async function timed(work) {
      const began = now();
      return { found: await share(work), took: now() - began };
    }

    // The first share warms up the JIT compiler, so it is not timed.
    let found = await share(inPlain), work = inPlain;
    if (found < 0 && subtle) {
      const plain = await timed(inPlain);
      found = plain.found;
      if (found < 0) {
        try {
          const web = await timed(inWebCrypto);
          found = web.found;
          if (web.took < plain.took) work = inWebCrypto;
        } catch (_) { /* WebCrypto exists but fails: continue in plain JavaScript. */ }
      }
    }
    let sliceEnd = now() + SLICE_MS;
    while (found < 0 && number < end) {
      if (now() >= sliceEnd) {
        await progress(number);
        // Yields to the event loop: without a worker, the page renders and handles clicks in between.
        await new Promise((resolve) => setTimeout(resolve, 0));
        sliceEnd = now() + SLICE_MS;
      }
      found = await share(work);
    }
    return found;
  };
}

/**
 * Solves without blocking the page: in a worker or, if no worker can be started, in slices between the page's tasks.
 * `number` is a promise of the number, or of -1. `stop` ends the work; the promise then never settles.
 */
function solveInBackground(challenge, progress) {
  let worker, url, isStopped = false;
  const inBackground = new Promise((resolve, reject) => {
    const source = '(' + function (makeSolver) {
      onmessage = (event) => makeSolver()(event.data, (number) => postMessage({ progress: number }))
        .then((number) => postMessage({ number }));
    } + ')(' + makeSolver + ')';
    url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    worker = new Worker(url);
    worker.onerror = reject;
    worker.onmessage = ({ data }) => ('number' in data ? resolve(data.number) : progress(data.progress));
    worker.postMessage(challenge);
  });
  const stop = () => {
    isStopped = true;
    if (worker) worker.terminate();
    if (url) URL.revokeObjectURL(url);
  };
  const inSlices = () => isStopped ? -1 : makeSolver()(challenge, (number) => {
    if (isStopped) return new Promise(() => {});
    progress(number);
  });
  const number = inBackground.catch(inSlices).then((found) => {
    stop();
    return found;
  });
  return { number, stop };
}

/** Returns the solution in the posted form: base64 of JSON. */
function solutionOf(challenge, number) {
  return btoa(JSON.stringify({
    algorithm: challenge.algorithm, challenge: challenge.challenge, number,
    salt: challenge.salt, signature: challenge.signature,
  }));
}
