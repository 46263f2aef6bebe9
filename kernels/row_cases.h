/* KAEL_ROWS_n(X) is X(1) X(2) ... X(n): a case for every number of rows that a tile can have. */
#ifndef KAEL_KERNELS_ROW_CASES_H
#define KAEL_KERNELS_ROW_CASES_H

#define KAEL_ROWS_4(X) X(1) X(2) X(3) X(4)
#define KAEL_ROWS_6(X) KAEL_ROWS_4(X) X(5) X(6)
#define KAEL_ROWS_8(X) KAEL_ROWS_6(X) X(7) X(8)
#define KAEL_ROWS_14(X) KAEL_ROWS_8(X) X(9) X(10) X(11) X(12) X(13) X(14)

/* Panel widths that are packed fast: a kernel's own rows and columns and, where BLIS's kernels are
 * used, theirs. */
#ifdef KAEL_PACK_FOR_BLIS
#define KAEL_PANEL_WIDTHS(X, rows, columns) X(4) X(6) X(8) X(12) X(14) X(16) X(24) X(32)
#else
#define KAEL_PANEL_WIDTHS(X, rows, columns) X(rows) X(columns)
#endif

#endif
