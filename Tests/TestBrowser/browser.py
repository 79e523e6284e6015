"""Visits a page with a Chromium that is already running, and prints the result as one line of JSON.

usage: browser.py DEVTOOLS_PORT VISIT, where VISIT is JSON:
  url         the page
  prepare     JavaScript that runs before any of the page's
  javascript  false: scripts are off
  ignoresPolicy  true: the content security policy is not enforced
  slowdown    how many times slower the page's main thread runs
  trace       JavaScript: until it is true and the page is drawn, the page's main thread is traced. The result has, as
              `mainThread`, milliseconds of its CPU time: `total`, and by kind of work
  scheme      "dark" or "light"; reducedMotion: true; forcedColors: true; contrast: true: more
              contrast
  width, height; scale: device pixels per CSS pixel, 2 by default; transparent: true: the page has no default
              background
  respond     {URL prefix: body}: the response for URLs with the prefix, instead of a request to their host
  steps       one after the other: {"wait": expression} {"click": selector} {"press": key} {"screenshot": path}
              {"evaluate": expression} {"navigation": number of links to an app to wait for}
              {"type": text} {"network": "online", "offline", milliseconds by which each response is delayed, or
              [milliseconds, bytes per second]}
              {"block": [URL patterns]}: such requests fail from now on
              {"reload": true} {"back": true} {"axe": true}: violations that axe-core finds in the page are an error
              A selector with " >>> " continues in the shadow root of that element; expressions have find(selector).
  linkScheme  the scheme of such links

Each visit has its own browser context, and so shares no cookies or cache with another.
"""
import base64
import collections
import json
import os
import sys
import time
import urllib.request

import websocket

LIMIT_SECONDS = 40
POLL_SECONDS = 0.05


class Tab:
    def __init__(self, port):
        version = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version", timeout=LIMIT_SECONDS))
        self.socket = websocket.create_connection(
            version["webSocketDebuggerUrl"], timeout=LIMIT_SECONDS, suppress_origin=True)
        self.last_id = 0
        self.events = []
        self.answers = {}
        self.session = None
        self.responses = {}
        self.context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def send(self, method, **parameters):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        return self.last_id

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        while number not in self.answers:
            self.receive()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def receive(self):
        message = json.loads(self.socket.recv())
        if "id" in message:
            self.answers[message["id"]] = message
        elif message["method"] == "Fetch.requestPaused":
            self.answer_instead(message["params"])
        else:
            self.events.append(message)

    def answer_instead(self, paused):
        url = paused["request"]["url"]
        for prefix, body in self.responses.items():
            if url.startswith(prefix):
                self.send("Fetch.fulfillRequest", requestId=paused["requestId"], responseCode=200,
                          responseHeaders=[{"name": "Content-Type", "value": "text/javascript"},
                                           {"name": "Access-Control-Allow-Origin", "value": "*"}],
                          body=base64.b64encode(body.encode()).decode())
                return
        self.send("Fetch.failRequest", requestId=paused["requestId"], errorReason="ConnectionRefused")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {json.dumps(result['exceptionDetails'])[:500]}")
        return result["result"].get("value")

    def holds(self, expression):
        try:
            return self.evaluate(f"Boolean({expression})")
        except RuntimeError as error:
            # The call fails while a document is being replaced; an exception is a different error.
            if not str(error).startswith("Runtime.evaluate:"):
                raise
            return False

    def wait(self, what, condition):
        end = time.monotonic() + LIMIT_SECONDS
        # The call also receives events.
        while not (self.call("Page.getFrameTree") and condition()):
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {what}")
            time.sleep(POLL_SECONDS)

    def of_kind(self, method):
        return [event["params"] for event in self.events if event["method"] == method]

    def links(self, scheme):
        """Every link to an app that the page tried to open, in order."""
        urls = [event["url"] for event in self.of_kind("Page.frameRequestedNavigation")]
        return [url for url in urls if scheme and url.startswith(scheme + ":")]


def prepare(tab, visit):
    # Reports would be work for the page's thread.
    reports = () if "trace" in visit else ("Network", "Log", "Audits")
    for domain in ("Page", "Runtime", *reports):
        tab.call(domain + ".enable")
    if visit.get("respond") is not None:
        tab.responses = visit["respond"]
        tab.call("Fetch.enable", patterns=[{"urlPattern": each} for each in ("https://*", *(f"{prefix}*"
                 for prefix in tab.responses))])
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=FIND)
    if "prepare" in visit:
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=visit["prepare"])
    if visit.get("ignoresPolicy"):
        tab.call("Page.setBypassCSP", enabled=True)
    if visit.get("javascript") is False:
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
    if "slowdown" in visit:
        tab.call("Emulation.setCPUThrottlingRate", rate=visit["slowdown"])
    features = [{"name": "prefers-color-scheme", "value": visit.get("scheme", "light")}]
    if visit.get("reducedMotion"):
        features.append({"name": "prefers-reduced-motion", "value": "reduce"})
    if visit.get("forcedColors"):
        features.append({"name": "forced-colors", "value": "active"})
    if visit.get("contrast"):
        features.append({"name": "prefers-contrast", "value": "more"})
    tab.call("Emulation.setEmulatedMedia", features=features)
    tab.call("Emulation.setDeviceMetricsOverride", width=visit.get("width", 390), height=visit.get("height", 844),
             deviceScaleFactor=visit.get("scale", 2), mobile=False)
    if visit.get("transparent"):
        tab.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})


FIND = """window.find = (selector) => selector.split(" >>> ").reduce(
    (found, part) => found && (found.shadowRoot || found).querySelector(part), document);"""

KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Backspace": 8, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        "PageDown": 34, " ": 32}


def press(tab, key):
    name = key.removeprefix("Shift+")
    text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(name, {})
    for kind in ("keyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=kind, key=name, code={" ": "Space"}.get(name, name),
                 windowsVirtualKeyCode=KEYS[name], modifiers=8 if key != name else 0,
                 **(text if kind == "keyDown" else {}))


def set_network(tab, value):
    latency, throughput = value if isinstance(value, list) else (value if isinstance(value, int) else 0, -1)
    tab.call("Network.emulateNetworkConditions", offline=value == "offline", latency=latency,
             downloadThroughput=throughput, uploadThroughput=throughput)


def leave(tab, method, **parameters):
    """Goes to another document, and waits until it is loaded."""
    count = len(tab.of_kind("Page.loadEventFired"))
    tab.call(method, **parameters)
    tab.wait("the next document", lambda: len(tab.of_kind("Page.loadEventFired")) > count)


def check_with_axe(tab):
    import axe_playwright_python
    folder = os.path.dirname(axe_playwright_python.__path__[0] + "/")
    with open(os.path.join(folder, "axe.min.js")) as file:
        tab.evaluate(file.read() + ";0")
    # While something fades in, its colors differ.
    tab.wait("the end of animations", lambda: tab.evaluate(
        "document.getAnimations().every((animation) => animation.playState !== 'running'"
        " || animation.effect.getComputedTiming().endTime === Infinity)"))
    found = tab.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map((violation) =>"
        " violation.id + ': ' + violation.nodes.map((node) => node.target.flat().join(' ') + ' ' +"
        " node.failureSummary).join('; ')))")
    if found:
        raise RuntimeError("axe: " + "\n".join(found))


def take(tab, step, visit, values):
    (kind, value), = step.items()
    if kind == "wait":
        tab.wait(value, lambda: tab.holds(value))
    elif kind == "navigation":
        tab.wait(f"link {value}", lambda: len(tab.links(visit.get("linkScheme"))) >= value)
    elif kind == "click":
        tab.call("Runtime.evaluate", expression=f"find({json.dumps(value)}).click()", userGesture=True)
    elif kind == "press":
        press(tab, value)
    elif kind == "type":
        for character in value:
            tab.call("Input.dispatchKeyEvent", type="char", text=character)
    elif kind == "network":
        set_network(tab, value)
    elif kind == "block":
        tab.call("Network.setBlockedURLs", urls=value)
    elif kind == "reload":
        leave(tab, "Page.reload")
    elif kind == "back":
        history = tab.call("Page.getNavigationHistory")
        leave(tab, "Page.navigateToHistoryEntry", entryId=history["entries"][history["currentIndex"] - 1]["id"])
    elif kind == "axe":
        check_with_axe(tab)
    elif kind == "evaluate":
        values.append(tab.evaluate(value))
    elif kind == "screenshot":
        data = tab.call("Page.captureScreenshot", format=value.rsplit(".", 1)[1])["data"]
        with open(value, "wb") as file:
            file.write(base64.b64decode(data))
    else:
        raise RuntimeError(f"no such step: {kind}")


TRACED = ["toplevel", "devtools.timeline", "blink.user_timing", "v8"]
# The next frame shows the page's current state.
MARK = """new MutationObserver((_, observer) => {
  if (!(%s)) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { performance.mark('end of trace'); window.endOfTrace(''); }));
}).observe(document, { subtree: true, childList: true, attributes: true });"""


def begin_trace(tab, condition):
    tab.call("Runtime.addBinding", name="endOfTrace")
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=MARK % condition)
    tab.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": TRACED})


def end_trace(tab):
    """The CPU time of the page's main thread in ms, by kind of work, each without the work nested in it."""
    # Polling the page would be work for its thread.
    while not tab.of_kind("Runtime.bindingCalled"):
        tab.receive()
    tab.call("Tracing.end")
    tab.wait("the trace", lambda: tab.of_kind("Tracing.tracingComplete"))
    events = [event for part in tab.of_kind("Tracing.dataCollected") for event in part["value"]]
    mark = next(event for event in events if event["name"] == "end of trace")
    begin = min(event["ts"] for event in events if event["name"] == "navigationStart"
                and event["args"].get("data", {}).get("documentLoaderURL", "").startswith("http"))
    own = [event for event in events if (event["pid"], event["tid"]) == (mark["pid"], mark["tid"])
           and event["ph"] == "X" and "tdur" in event and begin <= event["ts"] <= mark["ts"]]
    times, within = collections.Counter(), []
    for event in sorted(own, key=lambda each: (each["ts"], -each["dur"])):
        while within and within[-1]["ts"] + within[-1]["dur"] < event["ts"] + event["dur"]:
            within.pop()
        times[event["name"]] += event["tdur"] / 1000
        if within:
            times[within[-1]["name"]] -= event["tdur"] / 1000
        within.append(event)
    return {"total": sum(times.values()), **dict(times.most_common(12))}


def main(port, visit):
    tab = Tab(port)
    values = []
    try:
        prepare(tab, visit)
        if "trace" in visit:
            begin_trace(tab, visit["trace"])
        tab.call("Page.navigate", url=visit["url"])
        main_thread = end_trace(tab) if "trace" in visit else None
        tab.wait("the page", lambda: tab.of_kind("Page.loadEventFired"))
        for step in visit.get("steps", []):
            take(tab, step, visit, values)
        page = tab.evaluate(
            "({lang: document.documentElement.lang, dir: getComputedStyle(document.documentElement).direction,"
            " text: document.body.innerText, width: document.documentElement.scrollWidth, url: location.href,"
            " state: document.querySelector('#page') ? document.querySelector('#page').dataset.state : null,"
            " focus: document.activeElement.textContent.trim(),"
            " storage: document.cookie})")
        issues = [event["issue"]["code"] for event in tab.of_kind("Audits.issueAdded")]
        page.update(
            values=values,
            mainThread=main_thread,
            links=tab.links(visit.get("linkScheme")),
            requests=[event["request"]["url"] for event in tab.of_kind("Network.requestWillBeSent")],
            policyViolations=[code for code in issues if code == "ContentSecurityPolicyIssue"],
            exceptions=[event["exceptionDetails"]["text"] for event in tab.of_kind("Runtime.exceptionThrown")],
            errors=[event["entry"]["text"] for event in tab.of_kind("Log.entryAdded")
                    if event["entry"]["level"] == "error"],
        )
        print(json.dumps(page))
    finally:
        tab.session = None
        tab.call("Target.disposeBrowserContext", browserContextId=tab.context)


main(int(sys.argv[1]), json.loads(sys.argv[2]))
