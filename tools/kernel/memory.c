/* What compilers expect of a C library. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    char *t = to;
    const char *f = from;
    for (size_t i = 0; i < count; i++) t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    char *t = to;
    const char *f = from;
    if (t < f)
        for (size_t i = 0; i < count; i++) t[i] = f[i];
    else
        while (count--) t[count] = f[count];
    return to;
}

void *memset(void *to, int value, size_t count) {
    char *t = to;
    for (size_t i = 0; i < count; i++) t[i] = (char)value;
    return to;
}

#if defined(_WIN32) && defined(__x86_64__)
/* Touch every page of a large stack frame, whose size is in rax: Windows adds a page to the stack
 * when the one before it is touched. All registers stay as they are. */
__attribute__((naked)) void ___chkstk_ms(void) {
    __asm__("push %rcx\n"
            "push %rax\n"
            "lea 24(%rsp), %rcx\n"
            "0:\n"
            "cmp $0x1000, %rax\n"
            "jbe 1f\n"
            "sub $0x1000, %rcx\n"
            "orl $0, (%rcx)\n"
            "sub $0x1000, %rax\n"
            "jmp 0b\n"
            "1:\n"
            "sub %rax, %rcx\n"
            "orl $0, (%rcx)\n"
            "pop %rax\n"
            "pop %rcx\n"
            "ret\n");
}
#endif
