/* Statuses and the thread's error message. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#include "core/error.h"
#include "kael/status.h"

typedef struct status_row {
    kael_status status;
    int number;
    const char *text;
} status_row;

static const status_row status_rows[] = {
    {KAEL_OK, 0, "ok"},
    {KAEL_ERROR_VALUE, 1, "value error"},
    {KAEL_ERROR_SHAPE, 2, "shape error"},
    {KAEL_ERROR_DTYPE, 3, "dtype error"},
    {KAEL_ERROR_INDEX, 4, "index error"},
    {KAEL_ERROR_MEMORY, 5, "out of memory"},
    {KAEL_ERROR_STATE, 6, "state error"},
    {KAEL_ERROR_IO, 7, "input/output error"},
    {KAEL_ERROR_UNSUPPORTED, 8, "unsupported"},
    {KAEL_ERROR_ARITHMETIC, 9, "arithmetic error"},
};

enum { STATUS_COUNT = sizeof status_rows / sizeof status_rows[0] };

Test(Status, NumbersArePinned) {
    for (int i = 0; i < STATUS_COUNT; ++i) {
        cr_expect_eq((int)status_rows[i].status, status_rows[i].number, "%s", status_rows[i].text);
    }
}

Test(Status, EveryStatusHasItsName) {
    for (int i = 0; i < STATUS_COUNT; ++i) {
        cr_expect_str_eq(kael_status_string(status_rows[i].status), status_rows[i].text);
    }
}

Test(Status, OtherNumbersHaveAName) {
    const int numbers[] = {-1, STATUS_COUNT, 1000, -2147483647 - 1, 2147483647};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        cr_expect_str_eq(kael_status_string((kael_status)numbers[i]), "unknown status", "%d",
                         numbers[i]);
    }
}

Test(Status, MessageIsEmptyAtFirst) {
    cr_assert_str_eq(kael_last_error_message(), "");
}

Test(Status, ErrorReturnsItsStatusAndSetsTheMessage) {
    cr_assert_eq(kael_error(KAEL_ERROR_SHAPE, "size %d of %s", 3, "input"), KAEL_ERROR_SHAPE);
    cr_assert_str_eq(kael_last_error_message(), "size 3 of input");
}

Test(Status, LongMessagesAreCut) {
    char text[2 * KAEL_ERROR_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cr_assert_eq(kael_error(KAEL_ERROR_IO, "%s", text), KAEL_ERROR_IO);
    cr_assert_eq(strlen(kael_last_error_message()), KAEL_ERROR_MESSAGE_SIZE - 1);
    cr_assert_eq(strncmp(kael_last_error_message(), text, KAEL_ERROR_MESSAGE_SIZE - 1), 0);
}

Test(Status, MessageMayQuoteTheMessageBefore) {
    (void)kael_error(KAEL_ERROR_IO, "cannot read");
    (void)kael_error(KAEL_ERROR_IO, "loading: %s", kael_last_error_message());
    cr_assert_str_eq(kael_last_error_message(), "loading: cannot read");
}

static kael_status fail_with(kael_status status, int *calls) {
    ++*calls;
    return status == KAEL_OK ? KAEL_OK : kael_error(status, "failed");
}

static kael_status try_twice(kael_status first, kael_status second, int *calls) {
    KAEL_TRY(fail_with(first, calls));
    KAEL_TRY(fail_with(second, calls));
    return KAEL_OK;
}

Test(Status, TryReturnsTheFirstError) {
    int calls = 0;
    cr_expect_eq(try_twice(KAEL_OK, KAEL_OK, &calls), KAEL_OK);
    cr_expect_eq(calls, 2);
    calls = 0;
    cr_expect_eq(try_twice(KAEL_ERROR_INDEX, KAEL_ERROR_VALUE, &calls), KAEL_ERROR_INDEX);
    cr_expect_eq(calls, 1);
    calls = 0;
    cr_expect_eq(try_twice(KAEL_OK, KAEL_ERROR_VALUE, &calls), KAEL_ERROR_VALUE);
    cr_expect_eq(calls, 2);
}

typedef struct thread_messages {
    char at_first[KAEL_ERROR_MESSAGE_SIZE];
    char after_error[KAEL_ERROR_MESSAGE_SIZE];
} thread_messages;

static void *fail_in_thread(void *argument) {
    thread_messages *messages = argument;
    strcpy(messages->at_first, kael_last_error_message());
    (void)kael_error(KAEL_ERROR_VALUE, "the thread's");
    strcpy(messages->after_error, kael_last_error_message());
    return NULL;
}

Test(Status, MessagesAreTheThreadsOwn) {
    (void)kael_error(KAEL_ERROR_VALUE, "the caller's");
    thread_messages messages;
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, fail_in_thread, &messages), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_expect_str_eq(messages.at_first, "");
    cr_expect_str_eq(messages.after_error, "the thread's");
    cr_expect_str_eq(kael_last_error_message(), "the caller's");
}
