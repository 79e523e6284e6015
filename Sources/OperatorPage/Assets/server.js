// Requests to the admin interface. The token is in memory only; it is sent in a header, never in a URL.

const REQUEST_TIMEOUT_MS = 20_000;
let token = '';
let project = '';
let forget = () => {};
/** How far the server's clock is ahead. */
let ahead = 0;

/** A refusal, in words for the operator. */
export class Refusal extends Error {}

/** Signs in: checks a token, and returns its projects with its access to each. `whenInvalid` runs if it expires. */
export async function signIn(text, whenInvalid) {
  token = text;
  forget = whenInvalid;
  return request('GET', '/operator/projects');
}

export function signOut() {
  token = '';
}

export function select(id) {
  project = id;
}

export const currentProject = () => project;
export const now = () => Date.now() + ahead;

/** Returns a report: what a command prints. */
export const report = (name, body, signal) =>
  request('POST', `/v2/projects/${project}/reports:${name}`, body, signal);
export const accounts = (operation, body, signal) =>
  request('POST', `/v1/projects/${project}/accounts:${operation}`, body, signal);
export const change = (resource, body) => request('POST', `/v2/projects/${project}/${resource}`, body);

async function request(method, path, body, signal, tries = 4) {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const options = {
    method, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error',
    headers: { Authorization: `Bearer ${token}` }, signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  if (body) {
    options.body = JSON.stringify(body);
    options.headers['Content-Type'] = 'application/json';
  }
  let response, answer;
  try {
    response = await fetch(path, options);
    ahead = (Date.parse(response.headers.get('date')) || Date.now()) - Date.now();
    answer = await response.json();
  } catch {
    throw new Refusal('The server did not answer. Try again.');
  }
  if (response.ok) return answer;
  // A worker makes one report at a time.
  const seconds = response.status === 400 && path.includes('/reports:') && Number(response.headers.get('retry-after'));
  if (seconds && tries > 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    return request(method, path, body, signal, tries - 1);
  }
  const message = String(answer?.error?.message ?? `HTTP ${response.status}`);
  const sentence = message.split(' : ')[1] ?? message;
  if (response.status === 401) forget(sentence);
  throw new Refusal(response.status === 503 ? 'A worker or Redis does not answer. “dialtone doctor” says why.'
    : sentence);
}
