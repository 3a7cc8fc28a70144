package proofmark.suite;

/**
 * Mandelbrot set: draws it as a bitmap of one bit per point and returns the exclusive or of the bitmap's bytes.
 *
 * <p>Size: 340 x 340 points, 50 iterations, real part -1.5 to 0.5, imaginary part -1 to 1; a set bit is a point that
 * escaped. Expected: 31, computed by an independent program that also gives the published 191 for size 500 and 50 for
 * 750. They hold when the imaginary part is computed from the new real part, which draws a slightly different figure
 * than z := z * z + c (30 for size 340, 255 for 500).
 *
 * <p>Described in: B. Mandelbrot (1980); as a benchmark, the "mandelbrot" task of the Computer Language Benchmarks
 * Game (bits packed from the most significant one, rows padded to a byte).
 */
public final class Mandelbrot extends Program {
    private static final int SIZE = 340;
    private static final int CHECKSUM = 31;
    private static final int ITERATIONS = 50;
    private static final double ESCAPED = 4.0;

    private final int size;
    private final int checksum;

    /** The size of the suite. */
    public Mandelbrot() {
        this(SIZE, CHECKSUM);
    }

    private Mandelbrot(int size, int checksum) {
        this.size = size;
        this.checksum = checksum;
    }

    /** The published size with its published checksum, which takes twice as long. */
    static Mandelbrot published() {
        return new Mandelbrot(500, 191);
    }

    @Override
    public Object run() {
        int sum = 0;
        for (int y = 0; y < size; y++) {
            sum ^= checksumOfRow(2.0 * y / size - 1.0);
        }
        return sum;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(checksum);
    }

    @Override
    public int repetitions() {
        return 1;
    }

    private int checksumOfRow(double imaginary) {
        int sum = 0;
        int bits = 0;
        int held = 0;
        for (int x = 0; x < size; x++) {
            bits = bits << 1 | escapes(2.0 * x / size - 1.5, imaginary);
            held++;
            if (held == 8) {
                sum ^= bits;
                bits = 0;
                held = 0;
            }
        }
        return held == 0 ? sum : sum ^ bits << 8 - held;
    }

    /** 1 when the orbit of the point leaves the circle of radius 2, else 0. */
    private static int escapes(double real, double imaginary) {
        double zr = 0.0;
        double zi = 0.0;
        double zrSquare = 0.0;
        double ziSquare = 0.0;
        for (int i = 0; i < ITERATIONS; i++) {
            zr = zrSquare - ziSquare + real;
            zi = 2.0 * zr * zi + imaginary;
            zrSquare = zr * zr;
            ziSquare = zi * zi;
            if (zrSquare + ziSquare > ESCAPED) {
                return 1;
            }
        }
        return 0;
    }
}
