package proofmark.harness;

/**
 * Runs code at a chosen offset of the stack. Which objects share the low 12 bits of their address
 * with the hot part of the stack decides what stores and loads wait for each other; long-lived
 * objects stay where they are until the next collection, so that at one fixed offset a program runs
 * some percent faster or slower for a minute. These methods are kept in the interpreter (see the
 * JVM's options), whose frames hold every local variable.
 */
final class StackShift {
    /** Offsets are multiples of this many bytes, */
    static final int STEP = 64;
    /** and there are so many of them: a page in all. */
    static final int STEPS = 64;

    interface Body {
        void run() throws Throwable;
    }

    private StackShift() {
    }

    /** Runs the body about {@code steps * STEP} bytes further down. */
    static void run(int steps, Body body) throws Throwable {
        switch (Integer.highestOneBit(steps)) {
            case 1 -> by64(steps & ~1, body);
            case 2 -> by128(steps & ~2, body);
            case 4 -> by256(steps & ~4, body);
            case 8 -> by512(steps & ~8, body);
            case 16 -> by1024(steps & ~16, body);
            case 32 -> by2048(steps & ~32, body);
            default -> body.run();
        }
    }

    private static void by64(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0;
        run(steps, body);
    }

    private static void by128(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0, l6 = 0, l7 = 0;
        run(steps, body);
    }

    private static void by256(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0, l6 = 0, l7 = 0, l8 = 0, l9 = 0, l10 = 0, l11 = 0, l12 = 0, l13 = 0, l14 = 0, l15 = 0;
        run(steps, body);
    }

    private static void by512(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0, l6 = 0, l7 = 0, l8 = 0, l9 = 0, l10 = 0, l11 = 0, l12 = 0, l13 = 0, l14 = 0, l15 = 0;
        long l16 = 0, l17 = 0, l18 = 0, l19 = 0, l20 = 0, l21 = 0, l22 = 0, l23 = 0, l24 = 0, l25 = 0, l26 = 0, l27 = 0, l28 = 0, l29 = 0, l30 = 0, l31 = 0;
        run(steps, body);
    }

    private static void by1024(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0, l6 = 0, l7 = 0, l8 = 0, l9 = 0, l10 = 0, l11 = 0, l12 = 0, l13 = 0, l14 = 0, l15 = 0;
        long l16 = 0, l17 = 0, l18 = 0, l19 = 0, l20 = 0, l21 = 0, l22 = 0, l23 = 0, l24 = 0, l25 = 0, l26 = 0, l27 = 0, l28 = 0, l29 = 0, l30 = 0, l31 = 0;
        long l32 = 0, l33 = 0, l34 = 0, l35 = 0, l36 = 0, l37 = 0, l38 = 0, l39 = 0, l40 = 0, l41 = 0, l42 = 0, l43 = 0, l44 = 0, l45 = 0, l46 = 0, l47 = 0;
        long l48 = 0, l49 = 0, l50 = 0, l51 = 0, l52 = 0, l53 = 0, l54 = 0, l55 = 0, l56 = 0, l57 = 0, l58 = 0, l59 = 0, l60 = 0, l61 = 0, l62 = 0, l63 = 0;
        run(steps, body);
    }

    private static void by2048(int steps, Body body) throws Throwable {
        long l0 = 0, l1 = 0, l2 = 0, l3 = 0, l4 = 0, l5 = 0, l6 = 0, l7 = 0, l8 = 0, l9 = 0, l10 = 0, l11 = 0, l12 = 0, l13 = 0, l14 = 0, l15 = 0;
        long l16 = 0, l17 = 0, l18 = 0, l19 = 0, l20 = 0, l21 = 0, l22 = 0, l23 = 0, l24 = 0, l25 = 0, l26 = 0, l27 = 0, l28 = 0, l29 = 0, l30 = 0, l31 = 0;
        long l32 = 0, l33 = 0, l34 = 0, l35 = 0, l36 = 0, l37 = 0, l38 = 0, l39 = 0, l40 = 0, l41 = 0, l42 = 0, l43 = 0, l44 = 0, l45 = 0, l46 = 0, l47 = 0;
        long l48 = 0, l49 = 0, l50 = 0, l51 = 0, l52 = 0, l53 = 0, l54 = 0, l55 = 0, l56 = 0, l57 = 0, l58 = 0, l59 = 0, l60 = 0, l61 = 0, l62 = 0, l63 = 0;
        long l64 = 0, l65 = 0, l66 = 0, l67 = 0, l68 = 0, l69 = 0, l70 = 0, l71 = 0, l72 = 0, l73 = 0, l74 = 0, l75 = 0, l76 = 0, l77 = 0, l78 = 0, l79 = 0;
        long l80 = 0, l81 = 0, l82 = 0, l83 = 0, l84 = 0, l85 = 0, l86 = 0, l87 = 0, l88 = 0, l89 = 0, l90 = 0, l91 = 0, l92 = 0, l93 = 0, l94 = 0, l95 = 0;
        long l96 = 0, l97 = 0, l98 = 0, l99 = 0, l100 = 0, l101 = 0, l102 = 0, l103 = 0, l104 = 0, l105 = 0, l106 = 0, l107 = 0, l108 = 0, l109 = 0, l110 = 0, l111 = 0;
        long l112 = 0, l113 = 0, l114 = 0, l115 = 0, l116 = 0, l117 = 0, l118 = 0, l119 = 0, l120 = 0, l121 = 0, l122 = 0, l123 = 0, l124 = 0, l125 = 0, l126 = 0, l127 = 0;
        run(steps, body);
    }
}
