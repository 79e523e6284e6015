// The floor of sendVerificationCode: the least that any program behind nginx can do for that request.
//
// It reads the number from the body, calls the same script as Dialtone, with as many keys and arguments of the same
// sizes, and returns a response of the same size with the same headers. There is no validation, cryptography or
// logging: the time that Dialtone takes beyond this is the cost of its own work.
//
//   floor LISTENING-DESCRIPTOR REDIS-SOCKET SCRIPT THREADS PROJECT
#define _GNU_SOURCE
#include <err.h>
#include <fcgiapp.h>
#include <hiredis/hiredis.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum {
    sealedNumberBytes = 41,  // key id (1), nonce (12), "+16505550100" (12), tag (16)
    sessionInfoLength = 79,  // base64url of 18 bytes and the sealed number
    idLength = 22,           // base64url of 128 bits
    referenceLength = 12,
    rangeLength = 16,        // base64url of 96 bits
    streams = 64,            // of decisions
};

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static struct {
    int listener;
    const char *redis, *project;
    char *script;
} settings;

// A connection to Redis with the digest of the script.
typedef struct {
    redisContext *redis;
    char digest[41];
} Store;

// Writes random text of 64 characters. Only the size of a hash or a ciphertext matters here, not its content.
static void randomText(char *text, size_t length) {
    if (getrandom(text, length, 0) != (ssize_t)length) err(1, "getrandom");
    for (size_t i = 0; i < length; ++i) text[i] = alphabet[text[i] & 63];
    text[length] = 0;
}

// Writes a name for the number, always the same and as long as a keyed hash.
static void nameNumber(const char *number, size_t length, char *name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)number[i]) * 0x100000001b3;
    for (int i = 0; i < idLength; ++i) {
        name[i] = alphabet[hash & 63];
        hash = hash * 0x100000001b3 + 1;
        hash ^= hash >> 29;
    }
    name[idLength] = 0;
}

static void send(Store *store, const char *number, size_t length, const char *sealedNumber) {
    char id[idLength + 1], name[idLength + 1], block[idLength + 1], reference[referenceLength + 1];
    static const char client[] = "AAAAAAAAAAAAAAAAAAAAAA", series[] = "AAAAAAAAAAAAAAAA";
    randomText(id, idLength);
    randomText(reference, referenceLength);
    nameNumber(number, length, name);
    nameNumber(number, length - 4, block);
    block[rangeLength] = 0;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    const long long milliseconds = time.tv_sec * 1000LL + time.tv_nsec / 1000000;
    char now[24], expires[24], details[512], message[128], decision[512];
    snprintf(now, sizeof now, "%lld", milliseconds);
    snprintf(expires, sizeof expires, "%lld", milliseconds + 600000);
    snprintf(details, sizeof details, "derived\n%s\n540000\n5\n%s\n%s\n\n\n\n%s\nsign-in\n", expires, client,
        client, now);
    snprintf(message, sizeof message, "sign-in\n%s\n0\n\nen", now);
    snprintf(decision, sizeof decision,
        "%s\nsendVerificationCode\n+•••••••0100\nUS\ndevelopment mode\n%s\nnumber:1000:3600000;number:10000:86400000;"
        "network:1000000:3600000;network:1000000:86400000;project:10000000:3600000;project:10000000:86400000",
        reference, now);

    char keys[14][256];
    enum { size = sizeof keys[0] };
    const char *project = settings.project;
    snprintf(keys[0], size, "dt:{%s}:lock:%s:%s", project, name, client);
    snprintf(keys[1], size, "dt:{%s}:sess:%s", project, id);
    snprintf(keys[2], size, "dt:{%s}:outbox", project);
    snprintf(keys[3], size, "dt:{%s}:send-decisions:%d", project, reference[0] % streams);
    snprintf(keys[4], size, "dt:{%s}:known-clients:%s", project, name);
    snprintf(keys[5], size, "dt:{%s}:sends:%s", project, name);
    snprintf(keys[6], size, "dt:{%s}:range:region:US", project);
    snprintf(keys[7], size, "dt:{%s}:range:series:%s", project, series);
    snprintf(keys[8], size, "dt:{%s}:range:block:%s", project, block);
    snprintf(keys[9], size, "dt:{%s}:spending:%lld", project, time.tv_sec / 86400LL);
    snprintf(keys[10], size, "dt:{%s}:rate:send:%s:3600000", project, client);
    snprintf(keys[11], size, "dt:{%s}:rate:send:%s:86400000", project, client);
    snprintf(keys[12], size, "dt:{%s}:rate:send:all::3600000", project);
    snprintf(keys[13], size, "dt:{%s}:rate:send:all::86400000", project);

    const char *const words[] = {
        "EVALSHA", store->digest, "14", keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6], keys[7], keys[8],
        keys[9], keys[10], keys[11], keys[12], keys[13],
        now, id, sealedNumber, "derived", client, expires, details, "0000", "US", "0", "", message, decision,
    };
    enum { count = sizeof words / sizeof words[0] };
    size_t lengths[count];
    for (int i = 0; i < count; ++i) lengths[i] = strlen(words[i]);
    redisReply *reply = redisCommandArgv(store->redis, count, (const char **)words, lengths);
    if (!reply) errx(1, "Redis: %s", store->redis->errstr);
    if (reply->type == REDIS_REPLY_ERROR) errx(1, "Redis: %s", reply->str);
    freeReplyObject(reply);
}

static void answer(FCGX_Request *request, Store *store) {
    char body[65536];
    const int length = FCGX_GetStr(body, sizeof body - 1, request->in);
    body[length] = 0;
    static const char member[] = "\"phoneNumber\":\"";
    char *number = strstr(body, member);
    char *end = number ? strchr(number += sizeof member - 1, '"') : NULL;
    if (!end) {
        FCGX_PutS("Status: 400 Bad Request\r\nContent-Length: 0\r\n\r\n", request->out);
        return;
    }
    char sealedNumber[sealedNumberBytes + 1], sessionInfo[sessionInfoLength + 1], text[sessionInfoLength + 64];
    randomText(sealedNumber, sealedNumberBytes);
    send(store, number, end - number, sealedNumber);

    memset(sessionInfo, 'A', sessionInfoLength);
    memcpy(sessionInfo, sealedNumber, sealedNumberBytes);
    sessionInfo[sessionInfoLength] = 0;
    const int size = snprintf(text, sizeof text, "{\"sessionInfo\":\"%s\",\"resendAfter\":\"60\"}", sessionInfo);
    const char *requestID = FCGX_GetParam("REQUEST_ID", request->envp);
    FCGX_FPrintF(
        request->out,
        "Status: 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nCache-Control: no-store\r\n"
        "Access-Control-Allow-Origin: *\r\nVary: Origin\r\n"
        "Access-Control-Expose-Headers: Retry-After, Dialtone-Reference, Dialtone-Attempts-Left\r\n"
        "Dialtone-Reference: 7K3M-9QXA-2BCD\r\nX-Request-Id: %s\r\n"
        "Content-Length: %d\r\n\r\n%s",
        requestID ? requestID : "", size, text
    );
}

static void *serve(void *unused) {
    (void)unused;
    Store store = {.redis = redisConnectUnix(settings.redis)};
    if (!store.redis || store.redis->err) errx(1, "Redis: %s", store.redis ? store.redis->errstr : "no memory");
    redisReply *loaded = redisCommand(store.redis, "SCRIPT LOAD %s", settings.script);
    if (!loaded || loaded->type != REDIS_REPLY_STRING) errx(1, "SCRIPT LOAD failed");
    snprintf(store.digest, sizeof store.digest, "%s", loaded->str);
    freeReplyObject(loaded);

    FCGX_Request request;
    FCGX_InitRequest(&request, settings.listener, 0);
    while (FCGX_Accept_r(&request) == 0) {
        answer(&request, &store);
        FCGX_Finish_r(&request);
    }
    errx(1, "FCGX_Accept_r failed");
}

static char *readFile(const char *path) {
    FILE *file = fopen(path, "r");
    char *content = calloc(1, 65536);
    if (!file || !content || !fread(content, 1, 65535, file)) err(1, "%s", path);
    fclose(file);
    return content;
}

int main(int count, char **words) {
    if (count != 6) errx(2, "expected 5 arguments");
    settings.listener = atoi(words[1]);
    settings.redis = words[2];
    settings.script = readFile(words[3]);
    const int threads = atoi(words[4]);
    settings.project = words[5];

    if (FCGX_Init() != 0) errx(1, "FCGX_Init failed");
    signal(SIGTERM, SIG_DFL);  // libfcgi's own handler would wait for one more request
    for (int i = 1; i < threads; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, NULL) != 0) errx(1, "pthread_create failed");
    }
    serve(NULL);
}
