package proofmark.suite.deltablue;

/** How much a constraint matters, strongest first. */
enum Strength {
    REQUIRED,
    STRONGLY_PREFERRED,
    PREFERRED,
    STRONG_DEFAULT,
    NORMAL,
    WEAK_DEFAULT,
    WEAKEST;

    boolean isStrongerThan(Strength other) {
        return ordinal() < other.ordinal();
    }

    Strength weaker(Strength other) {
        return isStrongerThan(other) ? other : this;
    }
}
