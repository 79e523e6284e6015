// The floor of sendVerificationCode: the least that any program behind nginx can do for that request.
//
// It reads the number from the body, calls the same scripts as Dialtone, in as many round trips, with as many keys and
// arguments of the same sizes, and returns a response of the same size with the same headers. There is no validation,
// cryptography or logging: the time that Dialtone takes beyond this is the cost of its own work.
//
//   floor LISTENING-DESCRIPTOR REDIS-SOCKET FOLDER-OF-SCRIPTS THREADS PROJECT
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
    mostWords = 48,
    sealedNumberBytes = 41,  // key id (1), nonce (12), "+16505550100" (12), tag (16)
    sessionInfoLength = 82,  // base64url of 20 bytes and the sealed number
    idLength = 22,           // base64url of 128 bits
    referenceLength = 12,
    callIDLength = 16,
    mostLeased = 64,
    rangeLength = 16,        // base64url of 96 bits
    shards = 64,
};

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

enum { reserve, lease, reserveRegion, reserveSeries, openSession, release, correctRegion, correctSeries, scriptCount };

static const char *const scriptNames[scriptCount] = {
    "reserve", "lease-events", "reserve-region", "reserve-series", "send-verification-code", "release-reservation",
    "correct-region", "correct-series",
};

static struct {
    int listener;
    const char *redis, *project;
    char *scripts[scriptCount];
} settings;

// A connection to Redis with the digests of the scripts.
typedef struct {
    redisContext *redis;
    char digests[scriptCount][41];
} Store;

// Writes random text of 64 characters. Only the size of a hash or a ciphertext matters here, not its content.
static void randomText(char *text, size_t length) {
    if (getrandom(text, length, 0) != (ssize_t)length) err(1, "getrandom");
    for (size_t i = 0; i < length; ++i) text[i] = alphabet[text[i] & 63];
    text[length] = 0;
}

// Writes a name for the number, always the same and as long as a keyed hash. Returns the number's shard.
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

// The events of shared limits that this process has leased in blocks, as LeasedEvents.swift does.
static struct {
    pthread_mutex_t mutex;
    long long second;
    int unused, events, eventsInSecondBefore, owed;
} leases = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// Uses a leased event. Returns how many events to lease if none is left, otherwise 0.
static int useEvent(long long second) {
    pthread_mutex_lock(&leases.mutex);
    if (leases.second < second) {
        leases.eventsInSecondBefore = leases.second == second - 1 ? leases.events : 0;
        leases.second = second;
        leases.events = 0;
    }
    ++leases.events;
    int wanted = 0;
    if (leases.unused > 0) {
        --leases.unused;
    } else {
        const int events =
            leases.events > leases.eventsInSecondBefore ? leases.events : leases.eventsInSecondBefore;
        wanted = events / 8 < 1 ? 1 : events / 8 > mostLeased ? mostLeased : events / 8;
    }
    pthread_mutex_unlock(&leases.mutex);
    return wanted;
}

static void keepEvents(int count) {
    pthread_mutex_lock(&leases.mutex);
    if (leases.unused + count <= mostLeased) leases.unused += count;
    pthread_mutex_unlock(&leases.mutex);
}

// Notes a message to take back from its region, series and block, which the numbers of repeated sends share. Returns
// how many messages to take back now.
static int takeBack(void) {
    pthread_mutex_lock(&leases.mutex);
    const int events = leases.events > leases.eventsInSecondBefore ? leases.events : leases.eventsInSecondBefore;
    const int most = events / 8 > mostLeased ? mostLeased : events / 8;
    const int due = ++leases.owed >= most ? leases.owed : 0;
    leases.owed -= due;
    pthread_mutex_unlock(&leases.mutex);
    return due;
}

// Adds a call to the pipeline, which is sent when the next reply is read. Keys and arguments end with NULL.
static void call(Store *store, int script, int keyCount, const char *const *keysAndArguments) {
    char digits[12];
    snprintf(digits, sizeof digits, "%d", keyCount);
    const char *words[mostWords] = {"EVALSHA", store->digests[script], digits};
    size_t lengths[mostWords];
    int count = 3;
    while (*keysAndArguments && count < mostWords) words[count++] = *keysAndArguments++;
    for (int i = 0; i < count; ++i) lengths[i] = strlen(words[i]);
    if (redisAppendCommandArgv(store->redis, count, words, lengths) != REDIS_OK) errx(1, "Redis: no memory");
}

static redisReply *receive(Store *store) {
    redisReply *reply = NULL;
    if (redisGetReply(store->redis, (void **)&reply) != REDIS_OK) errx(1, "Redis: %s", store->redis->errstr);
    if (reply->type == REDIS_REPLY_ERROR) errx(1, "Redis: %s", reply->str);
    return reply;
}

static void send(Store *store, const char *number, size_t length, const char *sealedNumber) {
    char id[idLength + 1], name[idLength + 1], now[24];
    static const char client[] = "AAAAAAAAAAAAAAAAAAAAAA";
    const unsigned shard = nameNumber(number, length, name);
    randomText(id, idLength);
    char reference[referenceLength + 1], callID[callIDLength + 1];
    randomText(reference, referenceLength);
    randomText(callID, callIDLength);
    char block[idLength + 1];
    nameNumber(number, length - 4, block);
    block[rangeLength] = 0;
    static const char series[] = "AAAAAAAAAAAAAAAA";
    static const char masked[] = "+•••••••0100";
    static const char halfLife[] = "86400000";
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    const long long milliseconds = time.tv_sec * 1000LL + time.tv_nsec / 1000000;
    char since[24], expires[24], origin[128], message[128], decision[512];
    snprintf(now, sizeof now, "%lld", milliseconds);
    snprintf(since, sizeof since, "(%lld", milliseconds - 3600000);
    snprintf(expires, sizeof expires, "%lld", milliseconds + 600000);
    snprintf(origin, sizeof origin, "540000\n%s\n%s\nsign-in", now, settings.project);
    snprintf(message, sizeof message, "%s\nsign-in\n%s\n0\n\nen", settings.project, now);
    snprintf(decision, sizeof decision,
        "%s\nsendVerificationCode\n%s\n%s\nUS\ndevelopment mode\n%s\nnumber::1000:3600000;number::10000:86400000\n"
        "network:1:1000000:3600000;project:1:1000000000:86400000;deployment:1:1000000000:3600000;"
        "deployment:1:1000000000:86400000\nnormal block 0 20 0\nknown",
        reference, settings.project, masked, now);

    char keys[7][256], network[256], shared[3][256], executed[256], region[256], spending[64];
    char within[256], ledger[256], place[64];
    snprintf(keys[0], sizeof keys[0], "dt:{p%u}:lock:%s:%s:%s", shard, settings.project, name, client);
    snprintf(keys[1], sizeof keys[1], "dt:{p%u}:open:%s:%s:%s", shard, settings.project, name, client);
    snprintf(keys[2], sizeof keys[2], "dt:{p%u}:sess:%s", shard, id);
    snprintf(keys[3], sizeof keys[3], "dt:{p%u}:outbox", shard);
    snprintf(keys[4], sizeof keys[4], "dt:{p%u}:decisions", shard);
    snprintf(keys[5], sizeof keys[5], "dt:{p%u}:known-clients:%s:%s", shard, settings.project, name);
    snprintf(keys[6], sizeof keys[6], "dt:{p%u}:rate:send:%s:%s", shard, settings.project, name);
    snprintf(network, sizeof network, "dt:{n0}:rate:send:%s:%s", settings.project, client);
    snprintf(shared[0], sizeof shared[0], "dt:{limits}:rate:send:86400000:%s", settings.project);
    snprintf(shared[1], sizeof shared[1], "dt:{limits}:rate:send:3600000");
    snprintf(shared[2], sizeof shared[2], "dt:{limits}:rate:send:86400000");
    snprintf(executed, sizeof executed, "dt:{limits}:executed:%s", callID);
    snprintf(region, sizeof region, "dt:{g0}:range:region:%s:US", settings.project);
    snprintf(within, sizeof within, "dt:{g1}:range:series:%s:%s", settings.project, series);
    snprintf(ledger, sizeof ledger, "dt:{g1}:messages:%s:%lld", settings.project, time.tv_sec / 86400LL);
    snprintf(place, sizeof place, "US:%s:", series);
    snprintf(spending, sizeof spending, "dt:{g0}:spending:%lld", time.tv_sec / 86400LL);

    call(store, reserve, 1, (const char *[]){network, now, id, since, NULL});
    const int leased = useEvent(time.tv_sec);
    char wanted[12];
    snprintf(wanted, sizeof wanted, "%d", leased);
    if (leased > 0)
        call(store, lease, 4, (const char *[]){
            executed, shared[0], shared[1], shared[2], now, "86400000", "1000000000", "1440000", wanted,
            "3600000", "1000000000", "60000", wanted, "86400000", "1000000000", "1440000", wanted, NULL,
        });
    if (leased > 0)
        call(store, reserveRegion, 2, (const char *[]){region, spending, now, halfLife, "US", wanted, "", NULL});
    call(store, reserveSeries, 1, (const char *[]){within, now, block, NULL});
    for (int i = 0; i < (leased > 0 ? 4 : 2); ++i) freeReplyObject(receive(store));
    if (leased > 0) keepEvents(leased - 1);

    call(store, openSession, 7, (const char *[]){
        keys[0], keys[1], keys[2], keys[3], keys[4], keys[5], keys[6],
        now, id, sealedNumber, "derived", client, client, expires, origin, "0000", message, decision, NULL,
    });
    redisReply *reply = receive(store);
    const int isUsed = reply->type != REDIS_REPLY_ARRAY || strcmp(reply->element[0]->str, "reentered") != 0;
    freeReplyObject(reply);
    if (isUsed) return;

    keepEvents(1);
    call(store, release, 1, (const char *[]){network, id, NULL});
    char taken[12];
    const int due = takeBack();
    snprintf(taken, sizeof taken, "-%d", due);
    if (due > 0) {
        call(store, correctRegion, 2, (const char *[]){region, spending, now, halfLife, taken, "0", "US", "0", NULL});
        call(store, correctSeries, 2, (const char *[]){
            ledger, within, now, halfLife, "0", block, taken, "0", place, "0", NULL,
        });
    }
    for (int i = 0; i < (due > 0 ? 3 : 1); ++i) freeReplyObject(receive(store));
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
        "Access-Control-Allow-Origin: *\r\n"
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
    for (int i = 0; i < scriptCount; ++i) {
        redisReply *loaded = redisCommand(store.redis, "SCRIPT LOAD %s", settings.scripts[i]);
        if (!loaded || loaded->type != REDIS_REPLY_STRING) errx(1, "SCRIPT LOAD failed");
        snprintf(store.digests[i], sizeof store.digests[i], "%s", loaded->str);
        freeReplyObject(loaded);
    }

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
    for (int i = 0; i < scriptCount; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.lua", words[3], scriptNames[i]);
        settings.scripts[i] = readFile(path);
    }
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
