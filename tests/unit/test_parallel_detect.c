/* Detection on made-up machines. */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "fake_tree.h"
#include "parallel/cores.h"
#include "parallel/cpu_set.h"
#include "parallel/detect.h"
#include "parallel/quota.h"

static const char *tree;

static void make_tree(void) {
    tree = fake_tree_make();
}

static kael_cpu_set cpus(const char *list) {
    kael_cpu_set set;
    cr_assert(kael_cpu_set_parse(&set, list), "%s", list);
    return set;
}

static int count_cores(const char *allowed) {
    const kael_cpu_set set = cpus(allowed);
    return kael_count_cores(tree, &set);
}

static void write_cpu(int cpu, const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
    fake_tree_write(path, "%s\n", text);
}

static void write_cpus(int first, int last, const char *name, const char *text) {
    for (int cpu = first; cpu <= last; ++cpu) {
        write_cpu(cpu, name, text);
    }
}

#define DetectTest(suite, name) Test(suite, name, .init = make_tree, .fini = fake_tree_remove)

static void mount_version_2(const char *group) {
    fake_tree_write("/proc/self/cgroup", "0::%s\n", group);
    fake_tree_write(
        "/proc/self/mountinfo",
        "22 1 8:1 / / rw,relatime - ext4 /dev/root rw\n"
        "31 22 0:28 / /sys/fs/cgroup rw,nosuid shared:9 master:2 - cgroup2 cgroup2 rw\n");
}

static void mount_version_1(const char *group) {
    fake_tree_write("/proc/self/cgroup",
                    "9:name=systemd:/init.scope\n8:cpuset:/\n4:memory:%s\n3:cpu,cpuacct:%s\n",
                    group, group);
    fake_tree_write("/proc/self/mountinfo",
                    "22 1 8:1 / / rw,relatime - ext4 /dev/root rw\n"
                    "31 22 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
                    "32 31 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
}

static void write_version_1(const char *group, const char *quota, const char *period) {
    char path[256];
    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu,cpuacct%s/cpu.cfs_quota_us", group);
    fake_tree_write(path, "%s\n", quota);
    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu,cpuacct%s/cpu.cfs_period_us", group);
    fake_tree_write(path, "%s\n", period);
}

static int detect(const char *allowed, int processors) {
    const kael_cpu_set set = cpus(allowed);
    return kael_detect_threads(tree, &set, processors);
}

typedef struct limit {
    const char *text;
    int cpus;
} limit;

DetectTest(ParallelQuota, K44_Version2) {
    static const limit limits[] = {
        {"200000 100000", 2}, {"max 100000", INT_MAX},
        {"50000 100000", 1},  {"765000 100000", 7},
        {"1000 100000", 1},   {"99999 100000", 1},
        {"150000 50000", 3},  {"9223372036854775807 1", INT_MAX},
    };
    mount_version_2("/a/b");
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "%s\n", limits[i].text);
        cr_assert_eq(kael_cpu_quota(tree), limits[i].cpus, "%s", limits[i].text);
    }
}

DetectTest(ParallelQuota, K44_MalformedLimitsAreNone) {
    static const char *const limits[] = {"",         "\n",        "200000",      "200000 x",
                                         "0 100000", "200000 0",  "-1 100000",   "200000 -1",
                                         "x y",      "200000 1 ", "200000 1 1 1"};
    mount_version_2("/a/b");
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "%s\n", limits[i]);
        cr_assert_eq(kael_cpu_quota(tree), INT_MAX, "%s", limits[i]);
    }
    char overlong[4000];
    memset(overlong, '1', sizeof overlong - 1);
    overlong[sizeof overlong - 1] = '\0';
    fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "%s 100000\n", overlong);
    cr_assert_eq(kael_cpu_quota(tree), INT_MAX);
}

DetectTest(ParallelQuota, K44_Version1) {
    mount_version_1("/docker/abc");
    write_version_1("/docker/abc", "-1", "100000");
    cr_assert_eq(kael_cpu_quota(tree), INT_MAX);
    write_version_1("/docker/abc", "350000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    write_version_1("/docker/abc", "20000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 1);
    write_version_1("/docker/abc", "400000", "oops");
    cr_assert_eq(kael_cpu_quota(tree), INT_MAX);
}

DetectTest(ParallelQuota, K44_ParentTighterThanChild) {
    mount_version_2("/a/b/c");
    fake_tree_write("/sys/fs/cgroup/a/b/c/cpu.max", "800000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 8);
    fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 8);
    fake_tree_write("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "500000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    fake_tree_write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 2);
    mount_version_1("/a/b");
    write_version_1("/a/b", "600000", "100000");
    write_version_1("/a", "400000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 4);
}

DetectTest(ParallelQuota, K44_OtherGroupsDoNotCount) {
    mount_version_2("/a/b");
    fake_tree_write("/sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
    fake_tree_write("/sys/fs/cgroup/a/b/below/cpu.max", "100000 100000\n");
    fake_tree_write("/sys/fs/cgroup/a/beside/cpu.max", "100000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 8);
}

DetectTest(ParallelQuota, K44_ContainerSeesTheHostsPath) {
    fake_tree_write("/proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n");
    fake_tree_write("/proc/self/mountinfo",
                    "33 31 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - "
                    "cgroup cgroup rw,cpu,cpuacct\n");
    write_version_1("", "300000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    fake_tree_write("/proc/self/cgroup", "5:cpu,cpuacct:/docker/abc/inner\n");
    write_version_1("/inner", "200000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 2);
}

DetectTest(ParallelQuota, K44_ControlGroupNamespace) {
    mount_version_2("/");
    fake_tree_write("/sys/fs/cgroup/cpu.max", "300000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    fake_tree_write("/proc/self/mountinfo",
                    "31 22 0:28 /../.. /host\\040groups rw - cgroup2 cgroup2 rw\n");
    fake_tree_write("/host groups/cpu.max", "500000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 5);
    fake_tree_write("/proc/self/cgroup", "0::/../elsewhere\n");
    fake_tree_write("/elsewhere/cpu.max", "100000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 5);
}

DetectTest(ParallelQuota, K44_BothHierarchies) {
    fake_tree_write("/proc/self/cgroup", "3:cpu:/one\n0::/two\n");
    fake_tree_write("/proc/self/mountinfo",
                    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu\n"
                    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    write_version_1("/one", "400000", "100000");
    fake_tree_write("/sys/fs/cgroup/unified/two/cpu.max", "300000 100000\n");
    cr_assert_eq(kael_cpu_quota(tree), 3);
    write_version_1("/one", "200000", "100000");
    cr_assert_eq(kael_cpu_quota(tree), 2);
}

DetectTest(ParallelQuota, K44_AffinityMeetsQuota) {
    write_cpus(0, 3, "cpu_capacity", "1024");
    mount_version_2("/a");
    fake_tree_write("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
    cr_assert_eq(detect("0-3", 4), 2);
    fake_tree_write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
    cr_assert_eq(detect("0-3", 4), 4);
    fake_tree_write("/sys/fs/cgroup/a/cpu.max", "900000 100000\n");
    cr_assert_eq(detect("0-3", 4), 4);
    mount_version_1("/a");
    write_version_1("/a", "-1", "100000");
    cr_assert_eq(detect("0-3", 4), 4);
}

DetectTest(ParallelQuota, K44_Unreadable) {
    cr_assert_eq(detect("0-3", 4), 4);
    cr_assert_eq(kael_cpu_quota("/nowhere/at/all"), INT_MAX);
    fake_tree_write("/proc/self/cgroup", "%s", "");
    fake_tree_write("/proc/self/mountinfo", "%s", "");
    cr_assert_eq(detect("0-3", 4), 4);
    fake_tree_write("/proc/self/cgroup", "0\n0:\n0::\n0::relative\n:::\n\n0::/a");
    fake_tree_write("/proc/self/mountinfo", "\n31\n31 22 0:28 /\n31 22 0:28 / /m rw - cgroup2\n"
                                            "31 22 0:28 / /m rw no dash\n-\n- - - - - - -");
    cr_assert_eq(detect("0-3", 4), 4);
    mount_version_2("/a/b");
    fake_tree_write("/sys/fs/cgroup/a/b/cpu.max/a_directory", "%s", "");
    cr_assert_eq(detect("0-3", 4), 4);
    char root[5000];
    memset(root, 'x', sizeof root - 1);
    root[sizeof root - 1] = '\0';
    cr_assert_eq(kael_cpu_quota(root), INT_MAX);
}

DetectTest(ParallelCores, ThreadsOfACoreCountOnce) {
    for (int core = 0; core < 4; ++core) {
        char siblings[16];
        snprintf(siblings, sizeof siblings, "%d,%d", core, core + 4);
        write_cpu(core, "topology/core_cpus_list", siblings);
        write_cpu(core + 4, "topology/core_cpus_list", siblings);
    }
    cr_assert_eq(count_cores("0-7"), 4);
    cr_assert_eq(count_cores("0-3"), 4);
    cr_assert_eq(count_cores("4-7"), 4);
    cr_assert_eq(count_cores("0,4"), 1);
    cr_assert_eq(count_cores("0,1,4,5"), 2);
    cr_assert_eq(count_cores("3,4"), 2);
    cr_assert_eq(count_cores("7"), 1);
}

DetectTest(ParallelCores, OlderKernelsNameTheListOtherwise) {
    write_cpus(0, 1, "topology/thread_siblings_list", "0-1");
    write_cpus(2, 3, "topology/thread_siblings_list", "2-3");
    cr_assert_eq(count_cores("0-3"), 2);
}

DetectTest(ParallelCores, UnknownTopologyCountsEveryCpu) {
    cr_assert_eq(count_cores("0-5"), 6);
    write_cpus(0, 5, "topology/core_cpus_list", "nonsense");
    cr_assert_eq(count_cores("0-5"), 6);
    write_cpu(0, "topology/core_cpus_list", "7");
    cr_assert_eq(count_cores("0-5"), 6);
}

/* 8 threads of 4 performance cores, then 8 efficient cores. */
static void make_hybrid(void) {
    for (int cpu = 0; cpu < 16; ++cpu) {
        char siblings[16];
        if (cpu < 8) {
            snprintf(siblings, sizeof siblings, "%d-%d", cpu / 2 * 2, cpu / 2 * 2 + 1);
        } else {
            snprintf(siblings, sizeof siblings, "%d", cpu);
        }
        write_cpu(cpu, "topology/core_cpus_list", siblings);
    }
}

DetectTest(ParallelCores, IntelPerformanceCores) {
    make_hybrid();
    fake_tree_write("/sys/devices/cpu_core/cpus", "0-7\n");
    fake_tree_write("/sys/devices/cpu_atom/cpus", "8-15\n");
    cr_assert_eq(count_cores("0-15"), 4);
    cr_assert_eq(count_cores("0-3,8-15"), 2);
    cr_assert_eq(count_cores("8-15"), 8);
}

DetectTest(ParallelCores, CapacityTellsPerformanceCores) {
    write_cpus(0, 3, "cpu_capacity", "400");
    write_cpus(4, 6, "cpu_capacity", "871");
    write_cpu(7, "cpu_capacity", "1024");
    cr_assert_eq(count_cores("0-7"), 4);
    cr_assert_eq(count_cores("0-3"), 4);
    cr_assert_eq(count_cores("3-4"), 1);
    cr_assert_eq(count_cores("0-8"), 9);
}

DetectTest(ParallelCores, NumbersAreFromOneToTheProcessors) {
    cr_assert_eq(detect("0-7", 8), 8);
    cr_assert_eq(detect("0-7", 3), 3);
    const kael_cpu_set unknown = {{0}};
    cr_assert_eq(kael_detect_threads(tree, &unknown, 5), 5);
    cr_assert_eq(kael_detect_threads(tree, &unknown, 0), 1);
}

Test(ParallelCores, CpuLists) {
    static const limit lists[] = {{"0", 1},    {"0-3", 4},       {"0-3,8", 5},    {"1,1,1", 1},
                                  {"8191", 1}, {"0-8191", 8192}, {"0-1,3-4\n", 4}};
    static const char *const bad[] = {"",
                                      "\n",
                                      "x",
                                      "-1",
                                      "0-",
                                      "0,",
                                      ",0",
                                      "0 1",
                                      "8192",
                                      "0-8192",
                                      "1-99999999999999999999",
                                      "0x1",
                                      "0-3-5"};
    kael_cpu_set set;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        cr_assert(kael_cpu_set_parse(&set, lists[i].text), "%s", lists[i].text);
        cr_assert_eq(kael_cpu_set_count(&set), lists[i].cpus, "%s", lists[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        cr_assert_not(kael_cpu_set_parse(&set, bad[i]), "%s", bad[i]);
    }
    set = cpus("3,70,8191");
    cr_assert_eq(kael_cpu_set_next(&set, 0), 3);
    cr_assert_eq(kael_cpu_set_next(&set, 4), 70);
    cr_assert_eq(kael_cpu_set_next(&set, 71), 8191);
    cr_assert_eq(kael_cpu_set_next(&set, 8192), KAEL_CPU_MAX);
    kael_cpu_set_add(&set, -1);
    kael_cpu_set_add(&set, KAEL_CPU_MAX);
    kael_cpu_set_remove(&set, 70);
    kael_cpu_set_remove(&set, -1);
    cr_assert_eq(kael_cpu_set_count(&set), 2);
    cr_assert_not(kael_cpu_set_has(&set, 70));
    cr_assert_not(kael_cpu_set_has(&set, -1));
    cr_assert_not(kael_cpu_set_has(&set, KAEL_CPU_MAX));
}
