/* How Python calls an entry of the kernel: a builtin function for each, made without the headers of
 * any Python.
 *
 * What is used of Python's interface is stable since 3.11 and the same with and without the global
 * lock; its functions are handed over by the loader (ferrovia.kernel.library), so that one library
 * serves every version, and asks nothing of the system that it runs on.
 *
 * `table.h` is written by the build: the entries, and what each takes.
 */
#include <stddef.h>
#include <stdint.h>

typedef struct object object;

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
    int flags;
    const char *doc;
} method;

enum { FAST_CALL = 0x80, WRITABLE = 0x1, WITH_SHAPE = 0x8, WITH_STRIDES = 0x18 };

static struct {
    int (*get_buffer)(object *, buffer *, int);
    void (*release_buffer)(buffer *);
    long long (*as_integer)(object *);
    object *(*integer)(long long);
    double (*as_float)(object *);
    object *(*number)(double);
    object *(*truth)(long);
    object *(*tuple)(ptrdiff_t);
    int (*set_item)(object *, ptrdiff_t, object *);
    object *(*failed)(void);
    void (*fail)(object *, const char *);
    void *(*unlock)(void);
    void (*lock)(void *);
    object *(*function)(method *, object *, object *);
    void (*keep)(object *);
    object *none, *type_error, *value_error, *kernel_error;
} python;

/* What an entry takes and returns. */
enum { INTEGER, FLOAT, MEMORY, RECORD, GRID, STRIDED_GRID, PACK, SCRATCH };
enum { NOTHING, WHOLE, REAL, TRUTH, SEVERAL };

typedef struct {
    uint8_t kind, writable, dimensions;
    int32_t size;  /* bytes: of a row, a record, a number of a grid, scratch; or words of a pack */
    int32_t count; /* rows that memory must have, or -1 */
} parameter;

typedef struct {
    const char *name;
    int32_t (*run)(int64_t *);
    const parameter *parameters;
    uint8_t count, returns, returned, is_long;
} entry;

#include "table.h" /* MOST_WORDS, MOST_SCRATCH, MOST_BUFFERS, COUNT, ENTRIES, METHODS */

static char *append(char *at, char *end, const char *text) {
    while (*text && at < end) *at++ = *text++;
    return at;
}

static char *append_number(char *at, char *end, long long number) {
    char digits[24], *first = digits + sizeof digits;
    unsigned long long left = number < 0 ? -(unsigned long long)number : (unsigned long long)number;
    *--first = 0;
    do *--first = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0) *--first = '-';
    return append(at, end, first);
}

static object *refuse(object *kind, const entry *e, int argument, const char *what, long long number) {
    char text[200], *at = text, *end = text + sizeof text - 1;
    at = append(at, end, e->name);
    if (argument >= 0) {
        at = append(at, end, ": argument ");
        at = append_number(at, end, argument + 1);
    }
    at = append(at, end, what);
    if (number >= 0) at = append_number(at, end, number);
    *at = 0;
    python.fail(kind, text);
    return NULL;
}

static object *result(const entry *e, const int64_t *words) {
    union { int64_t word; double number; } real;
    object *all;
    switch (e->returns) {
    case WHOLE:
        return python.integer(words[0]);
    case TRUTH:
        return python.truth(words[0] != 0);
    case REAL:
        real.word = words[0];
        return python.number(real.number);
    case SEVERAL:
        all = python.tuple(e->returned);
        for (int i = 0; all && i < e->returned; i++) python.set_item(all, i, python.integer(words[i]));
        return all;
    }
    python.keep(python.none);
    return python.none;
}

/* Read one argument into words; return how many, or -1 after an error. */
static int take(const entry *e, const parameter *p, int number, object *given, int64_t *words, buffer *held,
                int *holding) {
    union { int64_t word; double number; } real;
    buffer *b = held + *holding;
    int flags = p->writable ? WRITABLE : 0, at = 0;
    switch (p->kind) {
    case INTEGER:
        words[0] = python.as_integer(given);
        return words[0] == -1 && python.failed() ? -1 : 1;
    case FLOAT:
        real.number = python.as_float(given);
        words[0] = real.word;
        return real.number == -1.0 && python.failed() ? -1 : 1;
    case GRID:
        flags |= WITH_SHAPE;
        break;
    case STRIDED_GRID:
        flags |= WITH_STRIDES;
        break;
    }
    if (python.get_buffer(given, b, flags)) return -1;
    ++*holding;
    switch (p->kind) {
    case PACK:
        if (b->len != (ptrdiff_t)sizeof(int64_t) * p->size) break;
        for (; at < p->size; at++) words[at] = ((const int64_t *)b->buf)[at];
        return at;
    case RECORD:
        if (b->len != p->size) break;
        words[0] = (int64_t)(intptr_t)b->buf;
        return 1;
    case MEMORY:
        if (b->len % p->size || (p->count >= 0 && b->len != (ptrdiff_t)p->size * p->count)) break;
        words[0] = (int64_t)(intptr_t)b->buf;
        words[1] = b->len / p->size;
        return 2;
    default:
        if (b->itemsize != p->size || b->ndim != p->dimensions) break;
        words[at++] = (int64_t)(intptr_t)b->buf;
        for (int i = 0; i < b->ndim; i++) words[at++] = b->shape[i];
        if (p->kind == STRIDED_GRID)
            for (int i = 0; i < b->ndim; i++) words[at++] = b->strides[i];
        return at;
    }
    refuse(python.value_error, e, number, " has not the size that it should have; its bytes: ", b->len);
    return -1;
}

static object *call(const entry *e, object *const *given, ptrdiff_t count) {
    int64_t words[MOST_WORDS];
    _Alignas(64) char scratch[MOST_SCRATCH];
    buffer held[MOST_BUFFERS];
    int holding = 0, at = 0, taken = 0;
    size_t used = 0;
    object *found = NULL;
    for (int i = 0; i < e->count; i++) {
        const parameter *p = e->parameters + i;
        if (p->kind == SCRATCH) {
            words[at++] = (int64_t)(intptr_t)(scratch + used);
            used += ((size_t)p->size + 63) & ~(size_t)63;
        } else if (taken == count) {
            refuse(python.type_error, e, -1, " takes more arguments than ", count);
            goto end;
        } else {
            int more = take(e, p, taken, given[taken], words + at, held, &holding);
            if (more < 0) goto end;
            at += more;
            taken++;
        }
    }
    if (taken != count) {
        refuse(python.type_error, e, -1, " takes fewer arguments than ", count);
        goto end;
    }
    void *thread = e->is_long ? python.unlock() : NULL;
    int failed = e->run(words);
    if (e->is_long) python.lock(thread);
    if (failed)
        refuse(python.kernel_error, e, -1, ": compiled code stopped with an error", -1);
    else
        found = result(e, words);
end:
    while (holding) python.release_buffer(held + --holding);
    return found;
}

#define METHOD(number)                                                              \
    static object *method_##number(object *self, object *const *given, ptrdiff_t count) { \
        (void)self;                                                                 \
        return call(ENTRIES + number, given, count);                                \
    }
METHODS
#undef METHOD

#define METHOD(number) {NULL, method_##number, FAST_CALL, NULL},
static method methods[] = {METHODS};
#undef METHOD

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif

/* Take the functions and objects of Python, in the order of `python`. */
EXPORTED void kernel_begin(void *const *functions) {
    for (size_t i = 0; i < sizeof python / sizeof(void *); i++) ((void **)&python)[i] = functions[i];
    for (int i = 0; i < COUNT; i++) methods[i].name = ENTRIES[i].name;
}

EXPORTED int kernel_entries(void) { return COUNT; }

EXPORTED const char *kernel_name(int number) { return ENTRIES[number].name; }

EXPORTED object *kernel_function(int number) { return python.function(methods + number, NULL, NULL); }

/* Return the address of memory. */
EXPORTED object *kernel_address(object *memory) {
    buffer b;
    if (python.get_buffer(memory, &b, WITH_STRIDES)) return NULL;
    int64_t address = (int64_t)(intptr_t)b.buf;
    python.release_buffer(&b);
    return python.integer(address);
}

/* Return the level of this processor (of x86-64: 2, or 3 with AVX2), or 0 where there is just one. */
EXPORTED int kernel_level(void) {
#if defined(__x86_64__)
    uint32_t a, b, c, d, features, extended, low, high;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0));
    if (a < 7) return 1;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(features), "=d"(d) : "a"(1), "c"(0));
    uint32_t second = 1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23;
    if ((features & second) != second) return 1; /* SSE3 to SSE4.2, CMPXCHG16B, POPCNT */
    uint32_t third = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;
    if ((features & third) != third) return 2; /* FMA, MOVBE, OSXSAVE, AVX, F16C */
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 2;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
    __asm__("cpuid" : "=a"(a), "=b"(d), "=c"(extended), "=d"(d) : "a"(0x80000001), "c"(0));
    uint32_t newer = 1u << 3 | 1u << 5 | 1u << 8; /* BMI1, AVX2, BMI2 */
    return (b & newer) == newer && extended >> 5 & 1 ? 3 : 2; /* LZCNT */
#else
    return 0;
#endif
}
