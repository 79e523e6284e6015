-- Sends the prepared bodies in turn, and reports the result as one line of JSON.
-- Arguments: path  content type  file of bodies, one per line, all of the same length  "once" | "again and again"
-- With "once", too few bodies are an error: a repeated request would take the shorter path of a request that was seen
-- before. The part that all requests share is formatted in advance, so that this program uses little CPU time.

local bodies, head, position, again = {}, nil, 0, false
exhausted = 0

function setup(thread) worker = thread end

function init(arguments)
  local path, contentType, file, mode = unpack(arguments)
  for line in io.lines(file) do
    bodies[#bodies + 1] = line
    assert(#line == #bodies[1], 'bodies of different lengths')
  end
  again = mode ~= 'once'
  local whole = wrk.format('POST', path, {
    ['Host'] = wrk.headers['Host'],
    ['Content-Type'] = contentType,
    ['User-Agent'] = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) '
      .. 'Chrome/140.0.0.0 Safari/537.36',
    ['Origin'] = 'https://app.example.com',
    ['X-Client-Version'] = 'Chrome/JsCore/12.6.0/FirebaseCore-web',
    ['X-Firebase-Locale'] = 'en',
  }, bodies[1])
  head = whole:sub(1, -#bodies[1] - 1)
end

function request()
  position = position + 1
  if position > #bodies then
    if not again then exhausted = 1 end
    position = 1
  end
  return head .. bodies[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p50":%d,"p99":%d,"exhausted":%d,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), worker:get('exhausted'),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
