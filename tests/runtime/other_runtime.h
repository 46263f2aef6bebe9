#ifndef KAEL_TESTS_OTHER_RUNTIME_H
#define KAEL_TESTS_OTHER_RUNTIME_H

typedef void other_runtime_task(void *context);

/* Calls the task on each of four threads of a region, and returns how many there were. */
__attribute__((visibility("default"))) int other_runtime_run(other_runtime_task *task,
                                                             void *context);

#endif
