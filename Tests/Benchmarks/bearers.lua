-- Requests a page with each token in turn, and reports the result as one line of JSON, as replay.lua does.
-- Arguments: path  (unused)  file of tokens, one per line  (unused)

local requests, position = {}, 0

function init(arguments)
  for token in io.lines(arguments[3]) do
    requests[#requests + 1] = wrk.format('GET', arguments[1], {
      ['Host'] = wrk.headers['Host'],
      ['Authorization'] = 'Bearer ' .. token,
    })
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"p50":%d,"p99":%d,"exhausted":0,"errors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
