/* Functions of elbow.h, which says what they are. Generated: change the arm instead. */

#include "elbow.h"

#include <math.h>
#include <stdint.h>

/* Every operation is rounded as it is written. gcc keeps to that with -std=c99, clang when it is told. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__
#error "This file cannot be compiled with -ffast-math: sums would be reordered. Leave that option out."
#endif

/* a b + c, a b - c and c - a b: rounded once where the target is fast at that, else twice. */
#ifdef FP_FAST_FMA
#define MUL_ADD(a, b, c) fma((a), (b), (c))
#define MUL_SUB(a, b, c) fma((a), (b), -(c))
#define SUB_MUL(c, a, b) fma(-(a), (b), (c))
#else
#define MUL_ADD(a, b, c) ((a)*(b) + (c))
#define MUL_SUB(a, b, c) ((a)*(b) - (c))
#define SUB_MUL(c, a, b) ((c) - (a)*(b))
#endif

static inline uint64_t bits_of(double x)
{
    union { double number; uint64_t bits; } both;
    both.number = x;
    return both.bits;
}

static inline double of_bits(uint64_t x)
{
    union { double number; uint64_t bits; } both;
    both.bits = x;
    return both.number;
}

/* Sine and cosine of an angle [rad], each within 1 unit in the last place. */
static void sin_cos(double x, double *sine, double *cosine)
{
    if (!(fabs(x) <= 100000.0)) {
        *sine = sin(x);
        *cosine = cos(x);
        return;
    }
    const double v1 = MUL_ADD(x, 0.6366197723675814, 6755399441055744.0);
    const double v2 = v1 - 6755399441055744.0;
    const double v3 = SUB_MUL(x, v2, 1.5707963267923333);
    const double v4 = SUB_MUL(v3, v2, 2.5633441515839558e-12);
    const double v5 = v4 - v3;
    const double v6 = MUL_ADD(v2, 2.5633441515839558e-12, v5);
    const double v7 = MUL_ADD(v2, 1.0562999066987428e-23, v6);
    const double v8 = v4*v4;
    const double v9 = MUL_ADD(-1.58969099521155e-10, v8, 2.5050760253406863e-08);
    const double v10 = MUL_ADD(v9, v8, -2.7557313707070068e-06);
    const double v11 = MUL_ADD(v10, v8, 0.0001984126982985795);
    const double v12 = MUL_ADD(v11, v8, -0.00833333333332249);
    const double v13 = MUL_ADD(v12, v8, 0.16666666666666632);
    const double v14 = v4*v8;
    const double v15 = MUL_ADD(v14, v13, v7);
    const double v16 = v4 - v15;
    const double v17 = MUL_ADD(-1.1359647557788195e-11, v8, 2.087572321298175e-09);
    const double v18 = MUL_ADD(v17, v8, -2.7557314351390663e-07);
    const double v19 = MUL_ADD(v18, v8, 2.480158728947673e-05);
    const double v20 = MUL_ADD(v19, v8, -0.001388888888887411);
    const double v21 = MUL_ADD(v20, v8, 0.0416666666666666);
    const double v22 = v8*v8;
    const double v23 = v8*0.5;
    const double v24 = 1.0 - v23;
    const double v25 = 1.0 - v24;
    const double v26 = v25 - v23;
    const double v27 = MUL_ADD(v4, v7, v26);
    const double v28 = MUL_ADD(v22, v21, v27);
    const double v29 = v24 + v28;
    const uint64_t v30 = bits_of(v1);
    const uint64_t v31 = v30 & UINT64_C(1);
    const uint64_t v32 = v30 << 62;
    const uint64_t v33 = v32 & UINT64_C(0x8000000000000000);
    const uint64_t v34 = v30 + UINT64_C(1);
    const uint64_t v35 = v34 << 62;
    const uint64_t v36 = v35 & UINT64_C(0x8000000000000000);
    const double v37 = v31 != 0 ? v29 : v16;
    const uint64_t v38 = bits_of(v37);
    const uint64_t v39 = v38 ^ v33;
    const double v40 = of_bits(v39);
    const double v41 = v31 != 0 ? v16 : v29;
    const uint64_t v42 = bits_of(v41);
    const uint64_t v43 = v42 ^ v36;
    const double v44 = of_bits(v43);
    *sine = v40;
    *cosine = v44;
}

void elbow_gravity(const double q[2], double g[2])
{
    const double q1 = q[0], q2 = q[1];
    double c1, s1;
    sin_cos(q1, &s1, &c1);
    double c2, s2;
    sin_cos(q2, &s2, &c2);
    const double t1 = 9.81*SUB_MUL(c1*c2, s2, s1);
    g[0] = MUL_ADD(19.62, c1, t1);
    g[1] = t1;
}

void elbow_inverse_dynamics(const double q[2], const double qd[2], const double qdd[2],
    double tau[2])
{
    const double q1 = q[0], q2 = q[1];
    const double qd1 = qd[0], qd2 = qd[1];
    const double qdd1 = qdd[0], qdd2 = qdd[1];
    const double t1 = qd2 + qd1;
    const double t2 = qdd2 + qdd1;
    double c1, s1;
    sin_cos(q1, &s1, &c1);
    double c2, s2;
    sin_cos(q2, &s2, &c2);
    const double t3 = MUL_ADD(s2, SUB_MUL(qd1*qd1, s1, 9.81), t2);
    const double t4 = MUL_ADD(c2, MUL_ADD(9.81, c1, qdd1), t3);
    const double t5 = MUL_ADD(t2, c2, MUL_ADD(qdd1, 2.0, t4));
    tau[0] = SUB_MUL(MUL_ADD(c1, 19.62, t5), s2, t1*t1);
    tau[1] = t4;
}
