#include "loss_curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 64, RIGHT = 20, TOP = 40, BOTTOM = 52, POINTS = 320 };

bool loss_curve_create(loss_curve *curve, int64_t steps) {
    *curve = (loss_curve){.places = steps};
    curve->losses = malloc((size_t)(steps > 0 ? steps : 1) * sizeof *curve->losses);
    return curve->losses != NULL;
}

void loss_curve_release(loss_curve *curve) {
    free(curve->losses);
    *curve = (loss_curve){0};
}

void loss_curve_add(loss_curve *curve, double mean_loss) {
    if (curve->count < curve->places) {
        curve->losses[curve->count++] = mean_loss;
    }
}

/* Means over equal parts of the steps, as single steps scatter too much to be read. */
typedef struct points {
    double loss[POINTS];
    int64_t count;
    double largest;
} points;

static points thin_out(const loss_curve *curve) {
    points p = {.count = curve->count < POINTS ? curve->count : POINTS};
    for (int64_t i = 0; i < p.count; ++i) {
        const int64_t first = i * curve->count / p.count;
        const int64_t last = (i + 1) * curve->count / p.count;
        double sum = 0;
        for (int64_t step = first; step < last; ++step) {
            sum += curve->losses[step];
        }
        p.loss[i] = sum / (double)(last - first);
        if (isfinite(p.loss[i])) {
            p.largest = fmax(p.largest, p.loss[i]);
        }
    }
    return p;
}

/* 1, 2 or 5 times a power of ten, so that at most `most` steps cover the range. */
static double tick_step(double range, int most) {
    const double least = range / most;
    const double power = pow(10, floor(log10(least)));
    const double factors[] = {1, 2, 5, 10};
    int i = 0;
    while (i < 3 && factors[i] * power < least) {
        ++i;
    }
    return factors[i] * power;
}

typedef struct plot {
    FILE *file;
    double last_x; /* epochs at the right edge */
    double top_y;  /* the loss at the upper edge */
} plot;

static double x_of(const plot *p, double epoch) {
    return LEFT + epoch / p->last_x * (WIDTH - LEFT - RIGHT);
}

static double y_of(const plot *p, double loss) {
    return HEIGHT - BOTTOM - loss / p->top_y * (HEIGHT - TOP - BOTTOM);
}

static void write_axes(const plot *p, double y_step) {
    for (int64_t i = 0; (double)i * y_step <= p->top_y * (1 + 1e-9); ++i) {
        const double y = y_of(p, (double)i * y_step);
        fprintf(p->file, "<path class='grid' d='M%d %.1fH%d'/>\n", LEFT, y, WIDTH - RIGHT);
        fprintf(p->file, "<text x='%d' y='%.1f' text-anchor='end'>%.4g</text>\n", LEFT - 8, y + 4,
                (double)i * y_step);
    }
    const double x_step = fmax(1, tick_step(p->last_x, 10));
    for (double epoch = 0; epoch <= p->last_x; epoch += x_step) {
        const double x = x_of(p, epoch);
        fprintf(p->file, "<path class='axis' d='M%.1f %dv5'/>\n", x, HEIGHT - BOTTOM);
        fprintf(p->file, "<text x='%.1f' y='%d' text-anchor='middle'>%.0f</text>\n", x,
                HEIGHT - BOTTOM + 20, epoch);
    }
    fprintf(p->file, "<path class='axis' d='M%d %dV%dH%d'/>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
    fprintf(p->file, "<text x='%d' y='%d' text-anchor='middle'>epoch</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    fprintf(p->file,
            "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>"
            "mean cross entropy</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2);
}

/* Losses that are not finite leave a gap. */
static void write_line(const plot *p, const points *of) {
    bool is_down = false;
    fputs("<path class='loss' d='", p->file);
    for (int64_t i = 0; i < of->count; ++i) {
        if (!isfinite(of->loss[i])) {
            is_down = false;
            continue;
        }
        const double epoch = ((double)i + 0.5) / (double)of->count * p->last_x;
        fprintf(p->file, "%c%.1f %.1f", is_down ? 'L' : 'M', x_of(p, epoch), y_of(p, of->loss[i]));
        is_down = true;
    }
    fputs("'/>\n", p->file);
}

static void write_picture(FILE *file, const points *of, int64_t epochs) {
    const double largest = of->largest > 0 ? of->largest : 1;
    const double y_step = tick_step(largest, 6);
    const plot p = {
        .file = file,
        .last_x = epochs > 0 ? (double)epochs : 1,
        .top_y = y_step * ceil(largest / y_step),
    };
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>\n"
            "<style>text{font:13px sans-serif;fill:#333}.title{font-size:15px;font-weight:bold}"
            ".axis{stroke:#333;fill:none}.grid{stroke:#ddd}"
            ".loss{stroke:#1f6fb4;stroke-width:1.8;fill:none}</style>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n"
            "<text class='title' x='%d' y='24'>Training loss, %" PRId64 " epoch%s</text>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, epochs, epochs == 1 ? "" : "s");
    write_axes(&p, y_step);
    write_line(&p, of);
    fputs("</svg>\n", file);
}

bool loss_curve_write(const loss_curve *curve, int64_t epochs, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    const points of = thin_out(curve);
    write_picture(file, &of, epochs);
    const bool is_written = ferror(file) == 0;
    return fclose(file) == 0 && is_written;
}
