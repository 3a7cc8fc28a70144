package proofmark.suite;

import proofmark.suite.deltablue.ChainTest;
import proofmark.suite.deltablue.ProjectionTest;

/**
 * DeltaBlue: an incremental solver of one-way constraints with strengths, put through its two classic tests.
 *
 * <p>Size: a chain of 500 equality constraints edited at one end 100 times, then 500 scale-and-offset constraints
 * whose variables are edited in turn. Expected: every value that is looked at is the one that arithmetic gives: 100
 * in the chain, 2 + 2 x 500 in the projection.
 *
 * <p>Described in: B. Freeman-Benson, J. Maloney, A. Borning, "An Incremental Constraint Solver", CACM 33(1), 1990;
 * M. Sannella, J. Maloney, B. Freeman-Benson, A. Borning, "Multi-way versus One-way Constraints in User Interfaces:
 * Experience with the DeltaBlue Algorithm", Software: Practice and Experience 23(5), 1993 (pseudo-code).
 */
public final class DeltaBlue extends Program {
    private static final int CONSTRAINTS = 500;
    private static final int RIGHT_VALUES = 100 + 2 + 2 * CONSTRAINTS;

    @Override
    public Object run() {
        return new ChainTest(CONSTRAINTS).rightValues() + new ProjectionTest(CONSTRAINTS).rightValues();
    }

    @Override
    public boolean check(Object result) {
        return result.equals(RIGHT_VALUES);
    }

    @Override
    public int repetitions() {
        return 28;
    }
}
