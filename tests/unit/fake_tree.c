#define _GNU_SOURCE
#include "fake_tree.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void fake_tree_remove(void) {
    if (root[0] != '\0') {
        nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        root[0] = '\0';
    }
}

const char *fake_tree_make(void) {
    fake_tree_remove();
    const char *const parent = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/kael-tree-XXXXXX", parent != NULL ? parent : "/tmp");
    cr_assert_not_null(mkdtemp(root));
    return root;
}

static void make_directories(char *path) {
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

void fake_tree_write(const char *path, const char *format, ...) {
    char full[2 * PATH_MAX];
    snprintf(full, sizeof full, "%s%s", root, path);
    make_directories(full);
    FILE *const file = fopen(full, "w");
    cr_assert_not_null(file, "%s", full);
    va_list arguments;
    va_start(arguments, format);
    cr_assert_geq(vfprintf(file, format, arguments), 0);
    va_end(arguments);
    cr_assert_eq(fclose(file), 0);
}
