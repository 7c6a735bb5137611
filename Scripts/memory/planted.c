// A use after free as the optimiser made it: an object is released, then its elements are copied into it.
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void fill(char *object, const char *bytes, size_t count) {
    free(object);
    memcpy(object + 32, bytes, count);
}

int main(int argc, char **arguments) {
    fill(malloc(1024), arguments[0], strlen(arguments[0]));
    return argc == 0;
}
