// The bare loop of Scripts/benchmark-durable: copies the rows of one table into an empty database of the same schema, so
// many a commit, in WAL mode with synchronous=FULL, and prints how many rows a second that were. The rows are read before
// the time begins.
//
//   benchmark-durable-rows SOURCE TARGET TABLE ROWS-PER-COMMIT
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *open_database(const char *path) {
    sqlite3 *database;
    if (sqlite3_open(path, &database) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(database));
        exit(1);
    }
    return database;
}

static void check(sqlite3 *database, int status) {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(sqlite3 *database, const char *sql) { check(database, sqlite3_exec(database, sql, 0, 0, 0)); }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: %s SOURCE TARGET TABLE ROWS-PER-COMMIT\n", arguments[0]);
        return 2;
    }
    const char *table = arguments[3];
    int rows_per_commit = atoi(arguments[4]);
    sqlite3 *source = open_database(arguments[1]);
    sqlite3 *target = open_database(arguments[2]);
    run(target, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF;");

    sqlite3_stmt *schema;
    check(source, sqlite3_prepare_v2(source,
        "SELECT sql FROM sqlite_master WHERE tbl_name = ?1 AND sql IS NOT NULL ORDER BY type = 'table' DESC", -1, &schema, 0));
    sqlite3_bind_text(schema, 1, table, -1, SQLITE_STATIC);
    while (sqlite3_step(schema) == SQLITE_ROW) run(target, (const char *)sqlite3_column_text(schema, 0));
    sqlite3_finalize(schema);

    char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", table);
    sqlite3_stmt *reading;
    check(source, sqlite3_prepare_v2(source, sql, -1, &reading, 0));
    int columns = sqlite3_column_count(reading);
    sqlite3_value **values = 0;
    size_t rows = 0, room = 0;
    while (sqlite3_step(reading) == SQLITE_ROW) {
        if (rows == room) {
            room = room ? 2 * room : 1024;
            values = realloc(values, room * columns * sizeof *values);
            if (!values) return 1;
        }
        for (int column = 0; column < columns; column++)
            values[rows * columns + column] = sqlite3_value_dup(sqlite3_column_value(reading, column));
        rows++;
    }
    sqlite3_finalize(reading);

    sqlite3_str *insert = sqlite3_str_new(target);
    sqlite3_str_appendf(insert, "INSERT INTO \"%w\" VALUES (?", table);
    for (int column = 1; column < columns; column++) sqlite3_str_appendall(insert, ", ?");
    sqlite3_str_appendall(insert, ")");
    sqlite3_stmt *writing;
    check(target, sqlite3_prepare_v2(target, sqlite3_str_finish(insert), -1, &writing, 0));

    double begin = now();
    for (size_t row = 0; row < rows; row++) {
        if (row % rows_per_commit == 0) run(target, row == 0 ? "BEGIN IMMEDIATE" : "COMMIT; BEGIN IMMEDIATE");
        for (int column = 0; column < columns; column++)
            check(target, sqlite3_bind_value(writing, column + 1, values[row * columns + column]));
        check(target, sqlite3_step(writing));
        sqlite3_reset(writing);
    }
    if (rows) run(target, "COMMIT");
    printf("%.0f\n", rows / (now() - begin));
    sqlite3_finalize(writing);
    sqlite3_close(target);
    sqlite3_close(source);
    return 0;
}
