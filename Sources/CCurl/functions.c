#include "CCurl.h"

#include <dlfcn.h>

struct ccurl_functions ccurl_functions;

/// Loads a function of libcurl into a member of the table.
#define LOAD(member, name) ((*(void **)&ccurl_functions.member = dlsym(library, name)) != NULL)

int ccurl_global_init(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    return library
        && LOAD(global_init, "curl_global_init") && LOAD(easy_init, "curl_easy_init")
        && LOAD(easy_setopt, "curl_easy_setopt") && LOAD(easy_getinfo, "curl_easy_getinfo")
        && LOAD(easy_perform, "curl_easy_perform")
        && LOAD(easy_cleanup, "curl_easy_cleanup") && LOAD(slist_append, "curl_slist_append")
        && LOAD(slist_free_all, "curl_slist_free_all") && LOAD(multi_init, "curl_multi_init")
        && LOAD(multi_setopt, "curl_multi_setopt") && LOAD(multi_add_handle, "curl_multi_add_handle")
        && LOAD(multi_remove_handle, "curl_multi_remove_handle") && LOAD(multi_info_read, "curl_multi_info_read")
        && LOAD(multi_socket_action, "curl_multi_socket_action") && LOAD(multi_cleanup, "curl_multi_cleanup")
        && ccurl_functions.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}
