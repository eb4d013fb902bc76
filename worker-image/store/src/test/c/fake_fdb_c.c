/* Copyright the Ratchet authors. SPDX-License-Identifier: Apache-2.0 */
/* As much of FoundationDB's C API as opening a database needs, of a cluster that never answers. Notes each call as a line in the file that FAKE_FDB_NOTES
   names. A network "runs" until it is stopped, as the real one does. */
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stopped;

static void note(const char *format, ...) {
    FILE *file = fopen(getenv("FAKE_FDB_NOTES"), "a");
    va_list values;
    va_start(values, format);
    vfprintf(file, format, values);
    va_end(values);
    fputc('\n', file);
    fclose(file);
}

/* The version of the library: FAKE_FDB_API, or that of FoundationDB 7.3. */
int fdb_get_max_api_version(void) {
    const char *told = getenv("FAKE_FDB_API");
    return told ? atoi(told) : 730;
}

/* As the real one, it refuses a caller that was compiled for a later version than its own. */
int fdb_select_api_version_impl(int version, int header) {
    note("api %d", version);
    return header > fdb_get_max_api_version() ? 2203 : 0;
}

const char *fdb_get_error(int code) {
    (void) code;
    return "an error of the fake";
}

int fdb_network_set_option(int option, const uint8_t *value, int length) {
    note("network option %d %.*s", option, length, (const char *) value);
    return 0;
}

int fdb_setup_network(void) {
    note("network set up");
    return 0;
}

int fdb_add_network_thread_completion_hook(void (*hook)(void *), void *argument) {
    (void) hook, (void) argument;
    return 0;
}

int fdb_run_network(void) {
    note("network runs");
    pthread_mutex_lock(&lock);
    while (!stopped) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int fdb_stop_network(void) {
    pthread_mutex_lock(&lock);
    stopped = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    note("network stops");
    return 0;
}

int fdb_create_database(const char *file, void **database) {
    note("database %s", file);
    *database = malloc(1);
    return 0;
}

int fdb_database_set_option(void *database, int option, const uint8_t *value, int length) {
    (void) database, (void) value, (void) length;
    note("database option %d", option);
    return 0;
}

void fdb_database_destroy(void *database) {
    note("database closed");
    free(database);
}

int fdb_database_create_transaction(void *database, void **transaction) {
    (void) database;
    *transaction = malloc(1);
    return 0;
}

int fdb_transaction_set_option(void *transaction, int option, const uint8_t *value, int length) {
    (void) transaction, (void) option, (void) value, (void) length;
    return 0;
}

void fdb_transaction_destroy(void *transaction) {
    free(transaction);
}

/* Futures are never ready, and so are never called back. */
void *fdb_transaction_get_read_version(void *transaction) {
    (void) transaction;
    note("read version asked for");
    return malloc(1);
}

void *fdb_transaction_get(void *transaction, const uint8_t *key, int length, int snapshot) {
    (void) transaction, (void) key, (void) length, (void) snapshot;
    return malloc(1);
}

void fdb_transaction_cancel(void *transaction) {
    (void) transaction;
}

int fdb_future_set_callback(void *future, void (*callback)(void *, void *), void *argument) {
    (void) future, (void) callback, (void) argument;
    return 0;
}

void fdb_future_cancel(void *future) {
    (void) future;
}

void fdb_future_destroy(void *future) {
    free(future);
}
