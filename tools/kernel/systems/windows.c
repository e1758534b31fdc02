/* Runs calls of entries in a library for Windows without any Python: see windows.py.
 *
 *     windows.exe LIBRARY CALLS RESULTS
 *
 * CALLS and RESULTS are numbers of 64 bits and bytes; windows.py writes and reads them. What the
 * library takes of Python is stood in for: an object is a piece of memory, or a number. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

typedef struct {
    int64_t bytes, itemsize, dimensions, shape[4];
    char *memory;
} object;

typedef struct {
    void *buf;
    object *obj;
    ptrdiff_t len, itemsize;
    int readonly, ndim;
    char *format;
    ptrdiff_t *shape, *strides, *suboffsets;
    void *internal;
} buffer;

typedef struct {
    const char *name;
    object *(*call)(object *, object *const *, ptrdiff_t);
} method;

typedef void begin_of(void *const *);
typedef int number_of(void);
typedef const char *name_of(int);
typedef method *method_of(int);

static object none, number;

static int get_buffer(object *of, buffer *b, int flags) {
    static const ptrdiff_t no_strides[4];
    (void)flags;
    memset(b, 0, sizeof *b);
    b->buf = of->memory, b->obj = of, b->len = of->bytes, b->itemsize = of->itemsize;
    b->ndim = (int)of->dimensions, b->shape = (ptrdiff_t *)of->shape, b->strides = (ptrdiff_t *)no_strides;
    return 0;
}
static void release_buffer(buffer *b) { (void)b; }
static long long as_integer(object *of) { return of->bytes; }
static object *integer(long long value) { return number.bytes = value, &number; }
static double as_float(object *of) { return (double)of->bytes; }
static object *real(double value) { (void)value; return &number; }
static object *truth(long value) { return integer(value); }
static object *tuple(ptrdiff_t count) { (void)count; return &number; }
static int set_item(object *all, ptrdiff_t at, object *one) { (void)all, (void)at, (void)one; return 0; }
static object *failed(void) { return NULL; }
static void fail(object *kind, const char *text) { (void)kind, fprintf(stderr, "%s\n", text); }
static void *unlock(void) { return NULL; }
static void lock(void *thread) { (void)thread; }
static object *function(method *m, object *self, object *module) { (void)self, (void)module; return (object *)m; }
static void keep(object *of) { (void)of; }

static int64_t read_number(FILE *file) {
    int64_t value;
    if (fread(&value, 8, 1, file) != 1) exit(3);
    return value;
}

static const char **paths;

static DWORD WINAPI work(void *unused) {
    (void)unused;
    HMODULE library = LoadLibraryA(paths[1]);
    if (!library) return fprintf(stderr, "not loaded: error %lu\n", GetLastError()), 2;
    begin_of *begin = (begin_of *)(void *)GetProcAddress(library, "kernel_begin");
    number_of *entries = (number_of *)(void *)GetProcAddress(library, "kernel_entries");
    number_of *level = (number_of *)(void *)GetProcAddress(library, "kernel_level");
    name_of *name = (name_of *)(void *)GetProcAddress(library, "kernel_name");
    method_of *find = (method_of *)(void *)GetProcAddress(library, "kernel_function");
    void *python[] = {get_buffer, release_buffer, as_integer, integer, as_float, real, truth, tuple, set_item,
                      failed, fail, unlock, lock, function, keep, &none, &none, &none, &none};
    begin(python);
    printf("%d entries, processor of level %d\n", entries(), level());
    FILE *in = fopen(paths[2], "rb"), *out = fopen(paths[3], "wb");
    for (int64_t calls = read_number(in); calls; calls--) {
        char wanted[64] = {0};
        fread(wanted, 64, 1, in);
        int64_t count = read_number(in);
        object given[16], *pointers[16];
        for (int64_t i = 0; i < count; i++) {
            object *it = given + i;
            it->bytes = read_number(in), it->itemsize = read_number(in), it->dimensions = read_number(in);
            for (int d = 0; d < 4; d++) it->shape[d] = read_number(in);
            it->memory = calloc(1, (size_t)it->bytes + 1);
            fread(it->memory, 1, (size_t)it->bytes, in);
            pointers[i] = it;
        }
        int at = 0;
        while (strcmp(name(at), wanted)) at++;
        if (!find(at)->call(NULL, pointers, count)) return 4;
        for (int64_t i = 0; i < count; i++) fwrite(given[i].memory, 1, (size_t)given[i].bytes, out);
    }
    fclose(out);
    return 0;
}

/* In a thread of its own, whose stack begins with one page: large frames must touch what they add. */
int main(int count, const char **arguments) {
    DWORD result = 5;
    if (count != 4) return 1;
    paths = arguments;
    HANDLE thread = CreateThread(NULL, 1 << 20, work, NULL, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    WaitForSingleObject(thread, INFINITE);
    GetExitCodeThread(thread, &result);
    return (int)result;
}
