package proofmark.suite.deltablue;

import proofmark.suite.collections.Sequence;

/** Constraints in an order in which executing each once brings all values up to date. */
final class Plan {
    private final Sequence<Constraint> steps = new Sequence<>();

    void add(Constraint constraint) {
        steps.add(constraint);
    }

    void execute() {
        for (int i = 0; i < steps.size(); i++) {
            steps.at(i).execute();
        }
    }
}
