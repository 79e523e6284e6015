import dialtone.DialtoneRedirect;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends the requests of the Android SDK, with the same platform class, and prints the responses. */
final class RedirectedApp {
    private static final String TOOLKIT = "https://identitytoolkit.googleapis.com/v1/accounts:";

    private final String apiKey;
    private final String number;
    private final String code;

    private RedirectedApp(String apiKey, String number, String code) {
        this.apiKey = apiKey;
        this.number = number;
        this.code = code;
    }

    /** Arguments: what to do, the server, the certificate of its authority, the API key, a test number and its code. */
    public static void main(String[] arguments) throws Exception {
        String server = arguments[1];
        TrustedAuthority.install(arguments[2]);
        RedirectedApp app = new RedirectedApp(arguments[3], arguments[4], arguments[5]);
        switch (arguments[0]) {
            case "sign-in":
                DialtoneRedirect.install(server);
                app.signIn();
                break;
            case "other-hosts":
                DialtoneRedirect.install(server);
                app.reachOthers(server);
                break;
            case "twice":
                DialtoneRedirect.install(server);
                DialtoneRedirect.install(server + "/");
                app.send();
                report("other server", () -> DialtoneRedirect.install("https://other.example.com"));
                break;
            case "second-factory":
                URL.setURLStreamHandlerFactory(protocol -> null);
                report("second factory", () -> DialtoneRedirect.install(server));
                break;
            case "own-factory":
                DialtoneRedirect redirect = DialtoneRedirect.to(server);
                URL.setURLStreamHandlerFactory(redirect::createURLStreamHandler);
                app.send();
                break;
            default:
                for (String url : arguments[0].split(" ")) report(url, () -> DialtoneRedirect.install(url));
        }
    }

    private void signIn() throws IOException {
        String session = member(send(), "sessionInfo");
        String wrong = code.equals("000000") ? "000001" : "000000";
        post("wrong code", TOOLKIT + "signInWithPhoneNumber", answer(session, wrong));
        String tokens = post("sign-in", TOOLKIT + "signInWithPhoneNumber", answer(session, code));
        String body = "{\"grantType\":\"refresh_token\",\"refreshToken\":\"" + member(tokens, "refreshToken") + "\"}";
        String refreshed = post("refresh", "https://securetoken.googleapis.com/v1/token", body);
        post("account", "https://www.googleapis.com/identitytoolkit/v3/relyingparty/getAccountInfo",
            "{\"idToken\":\"" + member(refreshed, "access_token") + "\"}");
    }

    private String send() throws IOException {
        return post("send", TOOLKIT + "sendVerificationCode", "{\"phoneNumber\":\"" + number + "\"}");
    }

    private void reachOthers(String server) throws IOException {
        URL redirected = new URL("https://identitytoolkit.googleapis.com/healthz");
        System.out.println("proxy: " + status(redirected.openConnection(Proxy.NO_PROXY)));
        System.out.println("default port: " + redirected.getDefaultPort());
        URL other = new URL(server.replace("127.0.0.1", "localhost") + "/healthz?a=1#b");
        HttpURLConnection connection = (HttpURLConnection) other.openConnection();
        System.out.println("other: " + status(connection) + " " + connection.getURL().getHost());
        // A connection has its host before it is opened.
        for (String url : new String[] {
            "https://www.googleapis.com/robot/v1/metadata/x509/a", "https://firebaseinstallations.googleapis.com/v1/",
            "https://identitytoolkit.googleapis.com.example.com/v1/", "https://identitytoolkit.googleapis.com:8443/v1/",
            "https://user@identitytoolkit.googleapis.com/v1/", "https://[::1]:8443//identitytoolkit.googleapis.com/",
            "https://IDENTITYTOOLKIT.googleapis.com:443/v1/projects?key=k", "https://securetoken.googleapis.com//host/v1/token",
        }) {
            System.out.println(url + " -> " + new URL(url).openConnection().getURL());
        }
    }

    private static String answer(String session, String code) {
        return "{\"sessionInfo\":\"" + session + "\",\"code\":\"" + code + "\"}";
    }

    private String post(String name, String url, String body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url + "?key=" + apiKey).openConnection();
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setConnectTimeout(30_000);
        connection.setReadTimeout(30_000);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("X-Android-Package", "com.example.app");
        connection.setRequestProperty("X-Client-Version", "Android/Fallback/X23001000/FirebaseCore-Android");
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body.getBytes(StandardCharsets.UTF_8));
        }
        int status = connection.getResponseCode();
        InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s+", " ");
        System.out.println(name + ": " + status + " " + text);
        return text;
    }

    private static int status(Object connection) throws IOException {
        return ((HttpURLConnection) connection).getResponseCode();
    }

    private static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\" ?: ?\"([^\"]+)\"").matcher(json);
        if (!found.find()) throw new IllegalStateException("no " + name);
        return found.group(1);
    }

    private static void report(String name, Runnable action) {
        try {
            action.run();
            System.out.println(name + ": installed");
        } catch (IllegalStateException | IllegalArgumentException refusal) {
            System.out.println(name + ": " + refusal.getClass().getSimpleName() + " " + refusal.getMessage());
        }
    }
}
