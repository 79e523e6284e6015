internal import Encodings

/// What a browser is to do: see `browser.py`.
public struct Visit: Sendable {
    /// One thing to do or to wait for.
    public enum Step: Sendable {
        /// Until a JavaScript expression is true.
        case wait(String)
        /// Clicks the element that a selector finds.
        case click(String)
        /// Presses `Tab` or `Enter`.
        case press(String)
        /// Evaluates a JavaScript expression, for ``VisitedPage/values``; a promise is waited for.
        case evaluate(String)
        /// Until the page has opened this number of links into the app.
        case navigation(Int)
        /// Writes a PNG file.
        case screenshot(String)
    }

    /// The page.
    public var url: String
    /// What to do there once it is loaded.
    public var steps: [Step]
    /// The scheme of links into the app.
    public var linkScheme: String
    /// JavaScript that runs before any of the page's own.
    public var prepare = ""
    /// Whether scripts run.
    public var hasJavaScript = true
    /// Whether the user prefers dark colours.
    public var isDark = false
    /// Whether the user asked for less motion.
    public var prefersReducedMotion = false
    /// The window's width in CSS pixels.
    public var width: Int64 = 390
    /// The window's height in CSS pixels.
    public var height: Int64 = 844
    /// How many times slower the page's own thread is to run.
    public var slowdown: Int64 = 1
    /// What the browser gets from other hosts over HTTPS, by the beginning of the URL; nil: such requests are not
    /// caught.
    public var respond: [String: String]?

    /// A visit on a phone in daylight.
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
            case .evaluate(let expression): json.member("evaluate", expression)
            case .navigation(let count): json.member("navigation", Int64(count))
            case .screenshot(let path): json.member("screenshot", path)
            }
        }
    }

    /// Until the challenge page shows a state.
    ///
    /// - Parameter name: `working`, `done`, `failed`, `cancelled` or `refused`.
    /// - Returns: the step.
    public static func state(_ name: String) -> Self {
        .wait("document.querySelector('#page').dataset.state === '\(name)'")
    }
}
