// The region of a user who has typed nothing.

const DRAWN_MS = 50;
const SLICE_MS = 8;

/**
 * Yields the regions of the preferred languages that are among `regions`. Most language tags name one of these. For
 * another tag, which has no region or an outdated code, such as `en-UK`, browsers take milliseconds to find the region.
 */
function* spokenRegions(regions) {
  for (const tag of navigator.languages || []) {
    let region = (tag.match(/^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i) || ['', ''])[1].toUpperCase();
    try { if (!regions.has(region)) region = new Intl.Locale(tag).maximize().region; } catch (_) { continue; }
    if (regions.has(region)) yield region;
  }
}

/**
 * Resolves to the region where the user probably is: the region of the time zone and, if it has several, one of the
 * preferred languages. Travelers, and people who read English anywhere, are where their clock is. Browsers take up to a
 * millisecond to name the zones of a region, so the page is drawn first, and other tasks run in between.
 */
async function likelyRegion(regions, drawn) {
  await drawn;
  let zone = null;
  try { zone = Intl.DateTimeFormat().resolvedOptions().timeZone; } catch (_) { /* The system's is unknown. */ }
  let sliceEnd = performance.now() + SLICE_MS;
  for (const region of new Set([...spokenRegions(regions), ...regions.keys()])) {
    if (performance.now() >= sliceEnd) {
      await pause(0);
      sliceEnd = performance.now() + SLICE_MS;
    }
    try {
      const locale = new Intl.Locale('und-' + region);
      if ((locale.getTimeZones ? locale.getTimeZones() : locale.timeZones || []).includes(zone)) return region;
    } catch (_) { /* The browser does not know the region. */ }
  }
  return firstRegion(regions);
}

/** Resolves when the next frame has been drawn; soon in any case, because hidden pages are not drawn. */
function nextFrame() {
  const frame = new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve, DRAWN_MS)); });
  return Promise.race([frame, pause(10 * DRAWN_MS)]);
}

/** Returns the region of a user whose time zone is unknown. */
function firstRegion(regions) {
  return spokenRegions(regions).next().value || [...regions.keys()][0];
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
