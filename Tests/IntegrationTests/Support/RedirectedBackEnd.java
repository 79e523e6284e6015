import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpContent;
import com.google.api.client.http.HttpRequest;
import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpTransport;
import java.io.IOException;

/** Sends requests with the Admin SDK's HTTP library and the guide's transport, and prints the responses. */
final class RedirectedBackEnd {
    private static final HttpTransport TRANSPORT = DialtoneTransport.create();

    /** Arguments: the certificate of the server's authority, an admin token, and a URL of another host. */
    public static void main(String[] arguments) throws Exception {
        TrustedAuthority.install(arguments[0]);
        ask("account", "https://identitytoolkit.googleapis.com/v1/projects/demo-dialtone/accounts:lookup",
            ByteArrayContent.fromString("application/json", "{\"localId\":[\"ada\"]}"), arguments[1]);
        ask("keys", "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", null,
            arguments[1]);
        ask("other", arguments[2], null, arguments[1]);
    }

    private static void ask(String name, String url, HttpContent content, String token) {
        try {
            HttpRequest request = TRANSPORT.createRequestFactory()
                .buildRequest(content == null ? "GET" : "POST", new GenericUrl(url), content);
            request.getHeaders().setAuthorization("Bearer " + token);
            request.setThrowExceptionOnExecuteError(false);
            HttpResponse response = request.execute();
            System.out.println(name + ": " + response.getStatusCode() + " " + response.parseAsString());
        } catch (IOException error) {
            System.out.println(name + ": " + error.getClass().getSimpleName());
        }
    }
}
