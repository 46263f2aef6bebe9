/* Everything in kael. */
#ifndef KAEL_KAEL_H
#define KAEL_KAEL_H

#include "kael/allocator.h"
#include "kael/autograd.h"
#include "kael/compare.h"
#include "kael/cpu.h"
#include "kael/dtype.h"
#include "kael/elementwise_operations.h"
#include "kael/indexing.h"
#include "kael/init.h"
#include "kael/io.h"
#include "kael/linalg.h"
#include "kael/loss.h"
#include "kael/macros.h"
#include "kael/matmul_versions.h"
#include "kael/nn.h"
#include "kael/normalize.h"
#include "kael/ops.h"
#include "kael/optim.h"
#include "kael/parallel.h"
#include "kael/random.h"
#include "kael/reduce.h"
#include "kael/scalar.h"
#include "kael/sparse.h"
#include "kael/status.h"
#include "kael/tensor.h"
#include "kael/version.h"

#endif
