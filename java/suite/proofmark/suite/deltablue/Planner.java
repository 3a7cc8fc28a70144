package proofmark.suite.deltablue;

import proofmark.suite.collections.Sequence;

/** The solver: adds and removes constraints one at a time, and makes plans for edits that are repeated. */
final class Planner {
    private static final Strength[] STRENGTHS = Strength.values();

    private int lastMark;

    private int newMark() {
        lastMark++;
        return lastMark;
    }

    /** Adds a constraint, and satisfies it if that only overrides weaker ones. */
    void add(Constraint constraint) {
        constraint.enterGraph();
        satisfyChain(constraint);
    }

    /** Satisfies a constraint, then the one it displaced if another way is left for that, and so on. */
    private void satisfyChain(Constraint constraint) {
        int mark = newMark();
        Constraint displaced = constraint;
        while (displaced != null) {
            displaced = satisfy(displaced, mark);
        }
    }

    private Constraint satisfy(Constraint constraint, int mark) {
        constraint.chooseMethod(mark);
        if (!constraint.isSatisfied()) {
            if (constraint.strength() == Strength.REQUIRED) {
                throw new IllegalStateException("a required constraint cannot be satisfied");
            }
            return null;
        }
        constraint.markInputs(mark);
        Variable output = constraint.output();
        Constraint displaced = output.determinedBy();
        if (displaced != null) {
            displaced.markUnsatisfied();
        }
        output.determineBy(constraint);
        propagate(constraint, mark);
        output.setMark(mark);
        return displaced;
    }

    /** Recalculates everything downstream of a newly satisfied constraint. */
    private void propagate(Constraint constraint, int mark) {
        Sequence<Constraint> todo = new Sequence<>();
        todo.add(constraint);
        while (!todo.isEmpty()) {
            Constraint next = todo.removeFirst();
            if (next.output().hasMark(mark)) {
                throw new IllegalStateException("the constraints form a cycle");
            }
            next.recalculate();
            addConsumers(next.output(), todo);
        }
    }

    private static void addConsumers(Variable variable, Sequence<Constraint> todo) {
        Constraint determining = variable.determinedBy();
        Sequence<Constraint> constraints = variable.constraints();
        for (int i = 0; i < constraints.size(); i++) {
            Constraint constraint = constraints.at(i);
            if (constraint != determining && constraint.isSatisfied()) {
                todo.add(constraint);
            }
        }
    }

    /** Removes a constraint, and satisfies those that it kept from being satisfied, strongest first. */
    void remove(Constraint constraint) {
        if (!constraint.isSatisfied()) {
            constraint.leaveGraph();
            return;
        }
        Variable output = constraint.output();
        constraint.leaveGraph();
        Sequence<Constraint> unsatisfied = forgetDownstream(output);
        for (Strength strength : STRENGTHS) {
            satisfyAll(unsatisfied, strength);
        }
    }

    private void satisfyAll(Sequence<Constraint> constraints, Strength strength) {
        for (int i = 0; i < constraints.size(); i++) {
            Constraint constraint = constraints.at(i);
            if (constraint.strength() == strength && !constraint.isSatisfied()) {
                satisfyChain(constraint);
            }
        }
    }

    private static Sequence<Constraint> forgetDownstream(Variable start) {
        Sequence<Constraint> unsatisfied = new Sequence<>();
        Sequence<Variable> todo = new Sequence<>();
        start.forget();
        todo.add(start);
        while (!todo.isEmpty()) {
            visitDownstream(todo.removeFirst(), unsatisfied, todo);
        }
        return unsatisfied;
    }

    private static void visitDownstream(
            Variable variable, Sequence<Constraint> unsatisfied, Sequence<Variable> todo) {
        Constraint determining = variable.determinedBy();
        Sequence<Constraint> constraints = variable.constraints();
        for (int i = 0; i < constraints.size(); i++) {
            Constraint constraint = constraints.at(i);
            if (!constraint.isSatisfied()) {
                unsatisfied.add(constraint);
            } else if (constraint != determining) {
                constraint.recalculate();
                todo.add(constraint.output());
            }
        }
    }

    /** The plan to follow whenever the output of {@code edit} was set. */
    Plan planFor(EditConstraint edit) {
        Plan plan = new Plan();
        if (!edit.isSatisfied()) {
            return plan;
        }
        int mark = newMark();
        Sequence<Constraint> todo = new Sequence<>();
        todo.add(edit);
        while (!todo.isEmpty()) {
            Constraint constraint = todo.removeFirst();
            if (!constraint.output().hasMark(mark) && constraint.inputsAreKnown(mark)) {
                plan.add(constraint);
                constraint.output().setMark(mark);
                addConsumers(constraint.output(), todo);
            }
        }
        return plan;
    }
}
