#pragma once
#include <maxminddb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Swift cannot read what the library answers: a union that holds numbers of 128 bits.

static inline bool CWaymarkMaxMind_text(MMDB_entry_s *entry, const char *const *path, char *letters) {
    MMDB_entry_data_s data;
    if (MMDB_aget_value(entry, &data, path) != MMDB_SUCCESS || !data.has_data) return false;
    if (data.type != MMDB_DATA_TYPE_UTF8_STRING || data.data_size != 2) return false;
    memcpy(letters, data.utf8_string, 2);
    return true;
}

// The two letters of the country in which an address is used, where the file names one. IPv4 in its mapped form.
static inline bool CWaymarkMaxMind_country(const MMDB_s *file, uint64_t high, uint64_t low, char *letters) {
    int error = MMDB_SUCCESS;
    MMDB_lookup_result_s found;
    if (high == 0 && low >> 32 == 0xFFFF) {
        struct sockaddr_in address;
        memset(&address, 0, sizeof address);
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl((uint32_t)low);
        found = MMDB_lookup_sockaddr(file, (const struct sockaddr *)&address, &error);
    } else {
        struct sockaddr_in6 address;
        memset(&address, 0, sizeof address);
        address.sin6_family = AF_INET6;
        for (int byte = 0; byte < 8; byte++) {
            address.sin6_addr.s6_addr[byte] = (uint8_t)(high >> (56 - 8 * byte));
            address.sin6_addr.s6_addr[8 + byte] = (uint8_t)(low >> (56 - 8 * byte));
        }
        found = MMDB_lookup_sockaddr(file, (const struct sockaddr *)&address, &error);
    }
    if (error != MMDB_SUCCESS || !found.found_entry) return false;
    // As MaxMind and DB-IP have it, and as IPinfo has it, now and before.
    const char *const nested[] = {"country", "iso_code", NULL};
    const char *const code[] = {"country_code", NULL};
    const char *const plain[] = {"country", NULL};
    return CWaymarkMaxMind_text(&found.entry, nested, letters) || CWaymarkMaxMind_text(&found.entry, code, letters)
        || CWaymarkMaxMind_text(&found.entry, plain, letters);
}
