internal import Encodings

/// A page and the steps on it: see `browser.py`.
public struct Visit: Sendable {
    /// An action or a condition to wait for.
    public enum Step: Sendable {
        /// Waits until a JavaScript expression is true.
        case wait(String)
        /// Clicks the element that a selector finds. ` >>> ` enters a shadow root.
        case click(String)
        /// Presses a key, such as `Tab`, `Shift+Tab`, `Enter`, `Escape` or `ArrowDown`.
        case press(String)
        /// Types characters into the element with the focus.
        case type(String)
        /// Disconnects the network, or restores it.
        case network(isOnline: Bool)
        /// Delays every response by milliseconds.
        case latency(Int64)
        /// Delays every response by milliseconds, and limits the bytes per second.
        case slowNetwork(latency: Int64, bytesPerSecond: Int64)
        /// Lets requests fail whose URL matches one of these patterns, in which `*` stands for any text.
        case block([String])
        /// Reloads the document.
        case reload
        /// Goes back in the history.
        case back
        /// Checks the page with axe-core. Any violation is an error.
        case axe
        /// Evaluates a JavaScript expression, and adds its value to ``VisitedPage/values``. A promise is awaited.
        case evaluate(String)
        /// Waits until the page has opened this number of links into the app.
        case navigation(Int)
        /// Saves a screenshot to a file, whose name ends in `.png` or `.webp`.
        case screenshot(String)
    }

    /// The URL of the page.
    public var url: String
    /// The steps after the page has loaded.
    public var steps: [Step]
    /// The scheme of links into the app.
    public var linkScheme: String
    /// JavaScript that runs before the page's own.
    public var prepare = ""
    /// Whether scripts are enabled.
    public var hasJavaScript = true
    /// Whether the user prefers dark mode.
    public var isDark = false
    /// Whether the user prefers reduced motion.
    public var prefersReducedMotion = false
    /// Whether the system's forced colors replace the page's colors.
    public var forcesColors = false
    /// Whether the user prefers more contrast.
    public var prefersContrast = false
    /// Whether the page's content security policy is ignored, for scripts of the test.
    public var ignoresPolicy = false
    /// The window's width in CSS pixels.
    public var width: Int64 = 390
    /// The window's height in CSS pixels.
    public var height: Int64 = 844
    /// The factor by which the page's main thread is slowed down.
    public var slowdown: Int64 = 1
    /// Responses to HTTPS requests to other hosts, by the URL's prefix. With nil, such requests are not intercepted.
    public var respond: [String: String]?

    /// Creates a visit with a phone in light mode.
    public init(url: String, linkScheme: String, steps: [Step]) {
        self.url = url
        self.linkScheme = linkScheme
        self.steps = steps
    }

    var json: String {
        let bytes = JSONWriter.object { json in
            json.member("url", url)
            json.member("linkScheme", linkScheme)
            json.member("prepare", prepare)
            json.member("javascript", hasJavaScript)
            json.member("scheme", isDark ? "dark" : "light")
            json.member("reducedMotion", prefersReducedMotion)
            json.member("forcedColors", forcesColors)
            json.member("contrast", prefersContrast)
            json.member("ignoresPolicy", ignoresPolicy)
            json.member("width", width)
            json.member("height", height)
            if slowdown > 1 { json.member("slowdown", slowdown) }
            if let respond {
                json.object("respond") { json in
                    for (prefix, body) in respond { json.member(prefix, body) }
                }
            }
            json.array("steps") { json in
                for step in steps { step.write(to: &json) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Visit.Step {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .wait(let expression): json.member("wait", expression)
            case .click(let selector): json.member("click", selector)
            case .press(let key): json.member("press", key)
            case .type(let text): json.member("type", text)
            case .network(let isOnline): json.member("network", isOnline ? "online" : "offline")
            case .latency(let milliseconds): json.member("network", milliseconds)
            case .slowNetwork(let latency, let bytesPerSecond):
                json.array("network") { json in
                    json.value(latency)
                    json.value(bytesPerSecond)
                }
            case .block(let patterns):
                json.array("block") { json in
                    for pattern in patterns { json.value(pattern) }
                }
            case .reload: json.member("reload", true)
            case .back: json.member("back", true)
            case .axe: json.member("axe", true)
            case .evaluate(let expression): json.member("evaluate", expression)
            case .navigation(let count): json.member("navigation", Int64(count))
            case .screenshot(let path): json.member("screenshot", path)
            }
        }
    }

    /// Waits until the challenge page shows a state.
    ///
    /// - Parameter name: `working`, `done`, `failed`, `cancelled` or `refused`.
    /// - Returns: the step.
    public static func state(_ name: String) -> Self {
        .wait("document.querySelector('#page').dataset.state === '\(name)'")
    }
}
