#define _GNU_SOURCE
#include "parallel/quota.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/system_file.h"

typedef enum hierarchy { VERSION_1, VERSION_2 } hierarchy;

static bool has_word(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Finds the path of the process's group below the hierarchy's root, in lines such as
 * "4:cpu,cpuacct:/a/b" and "0::/a/b". */
static bool find_own_group(const char *root, hierarchy version, char *path, size_t size) {
    FILE *const file = kael_open_system_file(root, "/proc/self/cgroup");
    if (file == NULL) {
        return false;
    }
    bool found = false;
    char *line = NULL;
    size_t capacity = 0;
    while (!found && getline(&line, &capacity, file) > 0) {
        char *rest = line;
        strsep(&rest, ":");
        const char *const controllers = strsep(&rest, ":");
        const char *const group = strsep(&rest, "\n");
        if (group == NULL || group[0] != '/' || strlen(group) >= size) {
            continue;
        }
        if (version == VERSION_2 ? controllers[0] == '\0' : has_word(controllers, "cpu")) {
            strcpy(path, group);
            found = true;
        }
    }
    free(line);
    fclose(file);
    return found;
}

typedef struct mount {
    char *group; /* the group that is visible at `point` */
    char *point;
    char *type;
    char *options;
} mount;

/* Undoes the escapes of spaces and the like, \ooo in octal. */
static void unescape(char *text) {
    char *out = text;
    while (*text != '\0') {
        const bool escape = text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
                            text[2] <= '7' && text[3] >= '0' && text[3] <= '7';
        if (escape) {
            *out++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 4;
        } else {
            *out++ = *text++;
        }
    }
    *out = '\0';
}

/* Parses "36 35 0:29 /group /point rw,nosuid shared:1 - cgroup cgroup rw,cpu" in place; any number
 * of fields precede the dash. */
static bool parse_mount(char *line, mount *parsed) {
    char *rest = line;
    for (int skipped = 0; skipped < 3; ++skipped) {
        strsep(&rest, " ");
    }
    parsed->group = strsep(&rest, " ");
    parsed->point = strsep(&rest, " ");
    for (const char *field = ""; field != NULL && strcmp(field, "-") != 0;) {
        field = strsep(&rest, " ");
    }
    parsed->type = strsep(&rest, " ");
    strsep(&rest, " ");
    parsed->options = strsep(&rest, "\n");
    if (parsed->options == NULL) {
        return false;
    }
    unescape(parsed->group);
    unescape(parsed->point);
    return true;
}

static bool shows_hierarchy(const mount *candidate, hierarchy version) {
    return version == VERSION_2
               ? strcmp(candidate->type, "cgroup2") == 0
               : strcmp(candidate->type, "cgroup") == 0 && has_word(candidate->options, "cpu");
}

static bool read_limit(const char *root, const char *directory, hierarchy version, int64_t *quota,
                       int64_t *period) {
    if (version == VERSION_1) {
        return kael_read_integer(kael_open_system_file(root, "%s/cpu.cfs_quota_us", directory),
                                 quota) &&
               kael_read_integer(kael_open_system_file(root, "%s/cpu.cfs_period_us", directory),
                                 period);
    }
    char line[64];
    if (!kael_read_first_line(kael_open_system_file(root, "%s/cpu.max", directory), line,
                              sizeof line)) {
        return false;
    }
    char *end = NULL;
    *quota = strtoll(line, &end, 10); /* "max" is no number: no limit */
    if (end == line || *end != ' ') {
        return false;
    }
    const char *const second = end + 1;
    *period = strtoll(second, &end, 10);
    return end != second && *end == '\0';
}

/* The limit of one group; a quota of -1 is none. */
static int group_quota(const char *root, const char *directory, hierarchy version) {
    int64_t quota = 0;
    int64_t period = 0;
    if (!read_limit(root, directory, version, &quota, &period) || quota <= 0 || period <= 0) {
        return INT_MAX;
    }
    const int64_t cpus = quota / period;
    return cpus < 1 ? 1 : cpus > INT_MAX ? INT_MAX : (int)cpus;
}

/* The part of `group` below the group that the mount shows. "" if it is not below it: a container's
 * mount then shows its own group or, with "/.." in its path, a parent of what the process may name.
 */
static const char *path_below(const char *group, const char *mounted) {
    const size_t length = strcmp(mounted, "/") == 0 ? 0 : strlen(mounted);
    const bool below = strncmp(group, mounted, length) == 0 &&
                       (group[length] == '/' || group[length] == '\0') &&
                       strstr(group, "/..") == NULL;
    return !below || strcmp(group + length, "/") == 0 ? "" : group + length;
}

/* The tightest limit from the process's group up to the top of the mount. */
static int mounted_quota(const char *root, const mount *place, const char *group,
                         hierarchy version) {
    char directory[PATH_MAX];
    const int length = snprintf(directory, sizeof directory, "%s%s", place->point,
                                path_below(group, place->group));
    if (length < 0 || length >= (int)sizeof directory) {
        return INT_MAX;
    }
    char *const top = directory + strlen(place->point);
    int tightest = group_quota(root, directory, version);
    for (char *slash = strrchr(top, '/'); slash != NULL; slash = strrchr(top, '/')) {
        *slash = '\0';
        const int quota = group_quota(root, directory, version);
        tightest = quota < tightest ? quota : tightest;
    }
    return tightest;
}

static int hierarchy_quota(const char *root, hierarchy version) {
    char group[PATH_MAX];
    if (!find_own_group(root, version, group, sizeof group)) {
        return INT_MAX;
    }
    FILE *const file = kael_open_system_file(root, "/proc/self/mountinfo");
    if (file == NULL) {
        return INT_MAX;
    }
    int tightest = INT_MAX;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, file) > 0) {
        mount place;
        if (parse_mount(line, &place) && shows_hierarchy(&place, version)) {
            const int quota = mounted_quota(root, &place, group, version);
            tightest = quota < tightest ? quota : tightest;
        }
    }
    free(line);
    fclose(file);
    return tightest;
}

int kael_cpu_quota(const char *root) {
    const int first = hierarchy_quota(root, VERSION_1);
    const int second = hierarchy_quota(root, VERSION_2);
    return first < second ? first : second;
}
