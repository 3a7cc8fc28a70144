package proofmark.suite;

import java.util.Arrays;

/**
 * Sieve of Eratosthenes: counts the primes up to 5000 by striking out multiples.
 *
 * <p>Size: 5000. Expected: 669, the published value of pi(5000).
 *
 * <p>Described in: Nicomachus, "Introduction to Arithmetic"; as a benchmark, J. Gilbreath, "A High-Level Language
 * Benchmark", BYTE (September 1981).
 */
public final class Sieve extends Program {
    private static final int LIMIT = 5000;
    private static final int PRIMES = 669;

    @Override
    public Object run() {
        boolean[] candidates = new boolean[LIMIT + 1];
        Arrays.fill(candidates, true);
        return countPrimes(candidates);
    }

    @Override
    public boolean check(Object result) {
        return result.equals(PRIMES);
    }

    @Override
    public int repetitions() {
        return 1400;
    }

    private static int countPrimes(boolean[] candidates) {
        int primes = 0;
        for (int number = 2; number < candidates.length; number++) {
            if (candidates[number]) {
                primes++;
                strikeMultiples(candidates, number);
            }
        }
        return primes;
    }

    private static void strikeMultiples(boolean[] candidates, int prime) {
        for (int multiple = prime + prime; multiple < candidates.length; multiple += prime) {
            candidates[multiple] = false;
        }
    }
}
