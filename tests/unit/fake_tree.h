/* A directory of files that stands for / in tests. */
#ifndef KAEL_TESTS_FAKE_TREE_H
#define KAEL_TESTS_FAKE_TREE_H

/* Makes an empty tree and returns its path; the previous one is gone. */
const char *fake_tree_make(void);

/* Writes a file and the directories above it; `path` begins with a slash. */
__attribute__((format(printf, 2, 3))) void fake_tree_write(const char *path, const char *format,
                                                           ...);

void fake_tree_remove(void);

#endif
