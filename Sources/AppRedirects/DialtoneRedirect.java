package dialtone;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.net.URLStreamHandlerFactory;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the requests of the Firebase Authentication SDK for Android to a Dialtone server, over TLS and with the SDK in
 * production mode. Copy this file into the app; it needs nothing else.
 *
 * <p>The SDK opens its connections with {@link URL#openConnection()}. A process may have one factory of URL handlers;
 * this one gives the SDK's requests another host and leaves every other https URL as it is.
 *
 * <p>Install it in {@code Application.onCreate()}, before Firebase is used: a URL that was made earlier keeps its
 * handler.
 */
public final class DialtoneRedirect implements URLStreamHandlerFactory {
    /** A server's root. {@link URL} cannot validate it, because it accepts any text as a host, even an empty one. */
    private static final Pattern ROOT =
        Pattern.compile("https://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+])(?::([0-9]{1,5}))?/?", Pattern.CASE_INSENSITIVE);

    private static DialtoneRedirect installed;

    /** The server's root, with the platform's handler, which URLs that are resolved against it inherit. */
    private final URL server;

    private DialtoneRedirect(URL server) {
        this.server = server;
    }

    /**
     * Installs the redirect for this process. A second call with the same server changes nothing.
     *
     * @param server the server's URL, {@code https://host} or {@code https://host:port}
     * @throws IllegalArgumentException if the URL is anything else
     * @throws IllegalStateException if requests are redirected to another server, or if the process already has a
     *     factory of URL handlers, which must then get its https handler from {@link #to}
     */
    public static synchronized void install(String server) {
        if (installed != null) {
            if (installed.server.toExternalForm().equals(root(server).toExternalForm())) return;
            throw new IllegalStateException(
                "Requests are redirected to " + installed.server + " and cannot be redirected to " + server + ".");
        }
        DialtoneRedirect redirect = to(server);
        try {
            URL.setURLStreamHandlerFactory(redirect);
        } catch (Error error) {
            // If there is a factory already, the platform throws an Error, not an instance of a subclass. Subclasses
            // must not be caught.
            if (error.getClass() != Error.class) throw error;
            throw new IllegalStateException(
                "The process already has a URLStreamHandlerFactory. Make DialtoneRedirect.to(\"" + server
                    + "\") before it is installed, and let it return that object's createURLStreamHandler(\"https\").",
                error);
        }
        installed = redirect;
    }

    /**
     * Returns a redirect for an app that has its own factory. For https, that factory must return the result of the
     * redirect's {@link #createURLStreamHandler}.
     *
     * <p>Call it before that factory is installed. Otherwise, the redirect would ask the factory for its own handler.
     *
     * @param server see {@link #install}
     * @throws IllegalArgumentException see {@link #install}
     */
    public static DialtoneRedirect to(String server) {
        return new DialtoneRedirect(root(server));
    }

    /** Returns the redirecting handler for https; null, which means the platform's handler, for other protocols. */
    @Override
    public URLStreamHandler createURLStreamHandler(String protocol) {
        return "https".equalsIgnoreCase(protocol) ? new Handler() : null;
    }

    private static URL root(String server) {
        MalformedURLException reason = null;
        if (isRoot(String.valueOf(server))) {
            try {
                URL url = new URL(server);
                return resolved(url, url.getAuthority().toLowerCase(Locale.ROOT), "/");
            } catch (MalformedURLException malformed) {
                reason = malformed;
            }
        }
        throw new IllegalArgumentException("Expected https://host or https://host:port, not " + server, reason);
    }

    private static boolean isRoot(String server) {
        Matcher parts = ROOT.matcher(server);
        if (!parts.matches()) return false;
        int port = parts.group(1) == null ? 443 : Integer.parseInt(parts.group(1));
        return port > 0 && port < 65536;
    }

    /**
     * Returns an https URL with the handler of {@code context}: a URL inherits it if both have the same protocol. If a
     * relative URL were used instead, a path that begins with two slashes would be read as a host.
     */
    private static URL resolved(URL context, String authority, String file) {
        try {
            return new URL(context, "https://" + authority + file);
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isOfAuthentication(URL url) {
        if (url.getUserInfo() != null || (url.getPort() != -1 && url.getPort() != 443)) return false;
        switch (url.getHost().toLowerCase(Locale.ROOT)) {
            case "identitytoolkit.googleapis.com":
            case "securetoken.googleapis.com":
                return true;
            case "www.googleapis.com":
                return url.getPath().startsWith("/identitytoolkit/");
            default:
                return false;
        }
    }

    private final class Handler extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            return destination(url).openConnection();
        }

        @Override
        protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
            return destination(url).openConnection(proxy);
        }

        @Override
        protected int getDefaultPort() {
            return 443;
        }

        private URL destination(URL url) {
            String authority = isOfAuthentication(url) ? server.getAuthority() : url.getAuthority();
            return resolved(server, authority, url.getFile());
        }
    }
}
