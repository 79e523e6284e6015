// The floor of sendVerificationCode: the least that any program behind nginx can do for that request.
//
// It takes the number out of the body, calls the very script that Dialtone calls, with as many keys and arguments of
// the same sizes, and gives an answer of the same size with the same headers. There is no checking, no cryptography and
// no log: what Dialtone takes beyond this is the price of its work.
//
//   floor LISTENING-DESCRIPTOR REDIS-SOCKET SCRIPT ITS-SHA1 THREADS PROJECT
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
    keyCount = 15,
    argumentCount = 18,
    sealedNumberBytes = 41,  // key id (1), nonce (12), "+16505550100" (12), tag (16)
    sessionInfoLength = 82,  // base64url of 20 bytes and the sealed number
    idLength = 22,           // base64url of 128 bits
    referenceLength = 12,
    rangeLength = 16,        // base64url of 96 bits
    shards = 64,
};

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static struct {
    int listener;
    const char *redis, *project;
    char *script;
    char digest[41];
} settings;

// Some bytes as text of 64 letters; a hash's or a ciphertext's size is what matters here, not its content.
static void randomText(char *text, size_t length) {
    if (getrandom(text, length, 0) != (ssize_t)length) err(1, "getrandom");
    for (size_t i = 0; i < length; ++i) text[i] = alphabet[text[i] & 63];
    text[length] = 0;
}

// A name of the number that is always the same for it, as long as a keyed hash is.
static unsigned nameNumber(const char *number, size_t length, char *name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)number[i]) * 0x100000001b3;
    const unsigned shard = (hash >> 32) % shards;
    for (int i = 0; i < idLength; ++i) {
        name[i] = alphabet[hash & 63];
        hash = hash * 0x100000001b3 + 1;
        hash ^= hash >> 29;
    }
    name[idLength] = 0;
    return shard;
}

static redisReply *openSession(redisContext *redis, const char *number, size_t length, const char *sealedNumber) {
    char id[idLength + 1], name[idLength + 1], now[24], digits[24];
    static const char client[] = "AAAAAAAAAAAAAAAAAAAAAA";
    const unsigned shard = nameNumber(number, length, name);
    randomText(id, idLength);
    char reference[referenceLength + 1];
    randomText(reference, referenceLength);
    char block[rangeLength + 1];
    memcpy(block, name, rangeLength);
    block[rangeLength] = 0;
    static const char series[] = "AAAAAAAAAAAAAAAA";
    static const char masked[] = "+•••••••0100";
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    snprintf(now, sizeof now, "%lld", time.tv_sec * 1000LL + time.tv_nsec / 1000000);
    snprintf(digits, sizeof digits, "%d", keyCount);

    char keys[keyCount][256];
    snprintf(keys[0], sizeof keys[0], "dt:{p%u}:lock:%s:%s:%s", shard, settings.project, name, client);
    snprintf(keys[1], sizeof keys[1], "dt:{p%u}:open:%s:%s:%s", shard, settings.project, name, client);
    snprintf(keys[2], sizeof keys[2], "dt:{p%u}:sess:%s", shard, id);
    snprintf(keys[3], sizeof keys[3], "dt:{p%u}:outbox", shard);
    snprintf(keys[4], sizeof keys[4], "dt:{d%u}:decisions", (unsigned char)reference[0] % shards);
    snprintf(keys[5], sizeof keys[5], "dt:{p%u}:known-clients:%s:%s", shard, settings.project, name);
    snprintf(keys[6], sizeof keys[6], "dt:{ranges}:range:region:%s:US", settings.project);
    snprintf(keys[7], sizeof keys[7], "dt:{ranges}:range:series:%s:%s", settings.project, series);
    snprintf(keys[8], sizeof keys[8], "dt:{ranges}:range:block:%s:%s", settings.project, block);
    snprintf(keys[9], sizeof keys[9], "dt:{ledger}:spending:%lld", time.tv_sec / 86400LL);
    snprintf(keys[10], sizeof keys[10], "dt:{p%u}:rate:send:%s:%s", shard, settings.project, name);
    snprintf(keys[11], sizeof keys[11], "dt:{n0}:rate:send:%s:%s", settings.project, client);
    snprintf(keys[12], sizeof keys[12], "dt:{limits}:rate:send:86400000:%s", settings.project);
    snprintf(keys[13], sizeof keys[13], "dt:{limits}:rate:send:3600000");
    snprintf(keys[14], sizeof keys[14], "dt:{limits}:rate:send:86400000");

    const char *arguments[argumentCount] = {
        now, id, sealedNumber, settings.project, "sign-in", "en", client, "derived", "", reference, masked, "US",
        "development mode", "1", "0", "", client, "0",
    };
    const char *words[3 + keyCount + argumentCount] = {"EVALSHA", settings.digest, digits};
    size_t lengths[3 + keyCount + argumentCount];
    for (int i = 0; i < keyCount; ++i) words[3 + i] = keys[i];
    for (int i = 0; i < argumentCount; ++i) words[3 + keyCount + i] = arguments[i];
    for (int i = 0; i < 3 + keyCount + argumentCount; ++i) lengths[i] = strlen(words[i]);
    redisReply *reply = redisCommandArgv(redis, 3 + keyCount + argumentCount, words, lengths);
    if (!reply || reply->type != REDIS_REPLY_ARRAY) errx(1, "Redis: %s", reply ? reply->str : redis->errstr);
    return reply;
}

static void answer(FCGX_Request *request, redisContext *redis) {
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
    char sealedNumber[sealedNumberBytes + 1], sessionInfo[sessionInfoLength + 1], text[sessionInfoLength + 32];
    randomText(sealedNumber, sealedNumberBytes);
    freeReplyObject(openSession(redis, number, end - number, sealedNumber));

    memset(sessionInfo, 'A', sessionInfoLength);
    memcpy(sessionInfo, sealedNumber, sealedNumberBytes);
    sessionInfo[sessionInfoLength] = 0;
    const int size = snprintf(text, sizeof text, "{\"sessionInfo\":\"%s\"}", sessionInfo);
    const char *requestID = FCGX_GetParam("REQUEST_ID", request->envp);
    FCGX_FPrintF(
        request->out,
        "Status: 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nCache-Control: no-store\r\n"
        "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Retry-After, Dialtone-Reference\r\n"
        "Dialtone-Reference: 7K3M-9QXA-2BCD\r\nX-Request-Id: %s\r\n"
        "Content-Length: %d\r\n\r\n%s",
        requestID ? requestID : "", size, text
    );
}

static void *serve(void *unused) {
    (void)unused;
    redisContext *redis = redisConnectUnix(settings.redis);
    if (!redis || redis->err) errx(1, "Redis: %s", redis ? redis->errstr : "no memory");
    redisReply *loaded = redisCommand(redis, "SCRIPT LOAD %s", settings.script);
    if (!loaded || loaded->type != REDIS_REPLY_STRING || strcmp(loaded->str, settings.digest))
        errx(1, "SCRIPT LOAD failed");
    freeReplyObject(loaded);

    FCGX_Request request;
    FCGX_InitRequest(&request, settings.listener, 0);
    while (FCGX_Accept_r(&request) == 0) {
        answer(&request, redis);
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
    if (count != 7) errx(2, "expected 6 arguments");
    settings.listener = atoi(words[1]);
    settings.redis = words[2];
    settings.script = readFile(words[3]);
    snprintf(settings.digest, sizeof settings.digest, "%s", words[4]);
    const int threads = atoi(words[5]);
    settings.project = words[6];

    if (FCGX_Init() != 0) errx(1, "FCGX_Init failed");
    signal(SIGTERM, SIG_DFL);  // libfcgi's own handler would wait for one more request
    for (int i = 1; i < threads; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, NULL) != 0) errx(1, "pthread_create failed");
    }
    serve(NULL);
}
